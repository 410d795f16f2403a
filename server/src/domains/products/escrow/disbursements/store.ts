import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import { assertWritten } from '../../../../kernel/db/errors.ts'
import { enqueueEach } from '../../../../kernel/engine/outbox.ts'
import type { NewShare, ShareEnd, ShareFailure, StoredDueShare } from './record.ts'

export async function insertShares(
  tx: Tx,
  orgId: string,
  ordered: { milestoneId: string; shares: readonly NewShare[]; at: Date },
): Promise<void> {
  await tx.db
    .insertInto('escrow_shares')
    .values(
      ordered.shares.map((share) => ({
        org_id: orgId,
        milestone_id: ordered.milestoneId,
        party_id: share.partyId,
        amount_minor: share.amountMinor.toString(),
        payment_id: share.paymentId,
        updated_at: ordered.at,
      })),
    )
    .execute()
}

type DueRow = Omit<StoredDueShare, 'amountMinor'> & { amountMinor: string }

/** Pending shares of a milestone whose retry time has come, ordered by party. */
export async function selectDueShares(
  tx: Tx,
  orgId: string,
  due: { milestoneId: string; now: Date },
): Promise<StoredDueShare[]> {
  const { rows } = await sql<DueRow>`
    select s.org_id as "orgId", e.escrow_id as "escrowId", s.milestone_id as "milestoneId", s.party_id as "partyId",
      s.payment_id as "paymentId", s.amount_minor as "amountMinor", e.currency, e.account_id as "escrowAccountId",
      p.account_id as "accountId", p.beneficiary_id as "beneficiaryId", e.name || ': ' || m.label as description,
      m.ordered_by as "orderedBy", s.state, s.tried_payment_ids as "triedPaymentIds"
    from escrow_shares s
    join escrow_milestones m on m.org_id = s.org_id and m.milestone_id = s.milestone_id
    join escrows e on e.org_id = m.org_id and e.escrow_id = m.escrow_id
    join escrow_parties p on p.org_id = s.org_id and p.party_id = s.party_id
    where s.org_id = ${orgId} and s.milestone_id = ${due.milestoneId} and s.state = 'pending'
      and (s.retry_at is null or s.retry_at <= ${due.now})
    order by s.party_id`.execute(tx.db)
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }))
}

export async function findEscrowOf(tx: Tx, orgId: string, milestoneId: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('escrow_milestones')
    .select('escrow_id')
    .where('org_id', '=', orgId)
    .where('milestone_id', '=', milestoneId)
    .executeTakeFirst()
  return row?.escrow_id
}

/** Runs in the transaction of the book transfer, and fails it if the share is no longer pending. */
export const payPendingShare = (orgId: string, paymentId: string, at: Date): CompiledQuery =>
  sql`
    with paid as (
      update escrow_shares set state = 'paid', tries = tries + 1, failure_code = null, failure_message = null,
        retry_at = null, updated_at = ${at}
      where org_id = ${orgId} and payment_id = ${paymentId} and state = 'pending'
      returning party_id
    )
    select ${assertWritten('shareNotPending')} from paid`.compile(statements)

/** For payments refused before they started. Once a payout exists, its own transaction updates the share. */
export const failPendingShare = (
  orgId: string,
  paymentId: string,
  { failure, at }: { failure: ShareFailure; at: Date },
): CompiledQuery =>
  sql`
    update escrow_shares set state = 'failed', tries = tries + 1, failure_code = ${failure.code},
      failure_message = ${failure.message}, retry_at = null, updated_at = ${at}
    where org_id = ${orgId} and payment_id = ${paymentId} and state = 'pending'`.compile(statements)

/** Runs in the transaction that starts the payout. */
export const beginShare = (orgId: string, paymentId: string, at: Date): CompiledQuery =>
  sql`
    update escrow_shares set state = 'paying', tries = tries + 1, failure_code = null, failure_message = null,
      retry_at = null, updated_at = ${at}
    where org_id = ${orgId} and payment_id = ${paymentId} and state = 'pending'`.compile(statements)

/** Runs in the transaction that ends the payout, and queues the milestone for the engine. */
export const endShare = (orgId: string, end: ShareEnd): CompiledQuery =>
  enqueueEach(
    { service: 'Disbursements', handler: 'disburse' },
    sql`
      update escrow_shares set state = ${end.to}, failure_code = ${end.failure?.code ?? null},
        failure_message = ${end.failure?.message ?? null}, updated_at = ${end.at}
      where org_id = ${orgId} and payment_id = ${end.paymentId} and state = ${end.from}
      returning org_id, jsonb_build_object('orgId', org_id, 'milestoneId', milestone_id) as payload`,
  )

/** The caller holds the escrow's lock. Each attempt has a payment id of its own. */
export const retryShare = (
  orgId: string,
  share: { paymentId: string; nextPaymentId: string; retryAt: Date | null; at: Date },
): CompiledQuery =>
  sql`
    update escrow_shares set state = 'pending', payment_id = ${share.nextPaymentId},
      tried_payment_ids = tried_payment_ids || payment_id, retry_at = ${share.retryAt}, updated_at = ${share.at}
    where org_id = ${orgId} and payment_id = ${share.paymentId} and state in ('failed', 'stuck')`.compile(
    statements,
  )

export const markShareStuck = (orgId: string, paymentId: string, at: Date): CompiledQuery =>
  sql`
    update escrow_shares set state = 'stuck', updated_at = ${at}
    where org_id = ${orgId} and payment_id = ${paymentId} and state = 'failed'`.compile(statements)

/** Includes milestones that were fully paid until a payout came back. */
export const selectOpenDisbursementsAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('escrow_milestones as m')
    .select(['m.org_id as orgId', 'm.milestone_id as milestoneId'])
    .where(
      sql<boolean>`(m.status = 'disbursing' or exists (select from escrow_shares s
        where s.org_id = m.org_id and s.milestone_id = m.milestone_id and s.state = 'failed'))`,
    )
    .$if(after !== undefined, (query) => query.where('m.milestone_id', '>', after ?? ''))
    .orderBy('m.milestone_id')
    .limit(limit)
    .execute()
