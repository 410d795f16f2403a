import { sql, type CompiledQuery, type NotNull } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { AttemptState } from '../../payments/lifecycle/rules.ts'
import type { Account, Comparison, OwnAttempt, OwnRefund, ReconciliationRun, RunFilters } from './record.ts'

/** Providers name transactions by our reference, by their own, or by both. */
interface Names {
  accountId: string
  references: readonly string[]
  providerRefs: readonly string[]
}

const toOwn = (row: {
  org_id: string
  payment_id: string
  reference: string
  provider_ref: string | null
  state: string
  status: string
  direction: string
  amount_minor: string
  currency: string
  target_amount_minor: string
  target_currency: string
  updated_at: Date
}): OwnAttempt => {
  const isOutbound = row.direction === 'outbound'
  return {
    orgId: row.org_id,
    paymentId: row.payment_id,
    reference: row.reference,
    providerRef: row.provider_ref,
    state: row.state as AttemptState, // check constraint
    status: row.status,
    direction: row.direction,
    amountMinor: BigInt(isOutbound ? row.target_amount_minor : row.amount_minor),
    currency: isOutbound ? row.target_currency : row.currency,
    updatedAt: row.updated_at,
  }
}

/** Uses one array parameter, because a provider may list more than a statement can have parameters. */
const isAny = (column: string, values: readonly string[], type: 'uuid' | 'text') =>
  sql<boolean>`${sql.ref(column)} = any(${[...values]}::${sql.raw(type)}[])`

const joined = (tx: Tx) =>
  tx.db
    .selectFrom('attempts')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.org_id', '=', 'attempts.org_id')
        .onRef('payments.payment_id', '=', 'attempts.payment_id'),
    )
    .select([
      'attempts.org_id',
      'attempts.payment_id',
      'attempts.reference',
      'attempts.provider_ref',
      'attempts.state',
      'attempts.updated_at',
      'payments.status',
      'payments.direction',
      'payments.amount_minor',
      'payments.currency',
      'payments.target_amount_minor',
      'payments.target_currency',
    ])

export async function selectAttemptsByReferenceAcrossOrgs(
  tx: Tx,
  accountId: string,
  references: readonly string[],
): Promise<OwnAttempt[]> {
  if (references.length === 0) return []
  const rows = await joined(tx)
    .where('attempts.account_id', '=', accountId)
    .where(isAny('attempts.reference', references, 'uuid'))
    .execute()
  return rows.map(toOwn)
}

export async function selectAttemptsByProviderRefAcrossOrgs(
  tx: Tx,
  { accountId, providerRefs, since }: Pick<Names, 'accountId' | 'providerRefs'> & { since: Date },
): Promise<OwnAttempt[]> {
  if (providerRefs.length === 0) return []
  const rows = await joined(tx)
    .where('attempts.account_id', '=', accountId)
    .where('attempts.created_at', '>=', since)
    .where(isAny('attempts.provider_ref', providerRefs, 'text'))
    .execute()
  return rows.map(toOwn)
}

export async function selectLegsAcrossOrgs(
  tx: Tx,
  { accountId, references, providerRefs }: Names,
): Promise<{ reference: string; providerRef: string | null }[]> {
  const legs = tx.db
    .selectFrom('ramp_legs')
    .select(['reference', 'provider_ref as providerRef'])
    .where('account_id', '=', accountId)
  return [
    ...(await legs.where(isAny('reference', references, 'uuid')).execute()),
    ...(await legs.where(isAny('provider_ref', providerRefs, 'text')).execute()),
  ]
}

/** The refunds that we have under these names, and whether it was raised that the provider contradicts their outcome. */
export async function selectRefundsAcrossOrgs(
  tx: Tx,
  { accountId, references, providerRefs }: Names,
): Promise<OwnRefund[]> {
  const refunds = tx.db
    .selectFrom('refunds')
    .select(['reference', 'provider_ref as providerRef', 'state'])
    .select(
      sql<boolean>`exists (
        select from exceptions raised
        where raised.org_id = refunds.org_id and raised.payment_id = refunds.payment_id
          and raised.finding_key in ('refund_after_failure ' || refund_id, 'refund_reversed ' || refund_id)
      )`.as('isRaised'),
    )
    .where('account_id', '=', accountId)
  return [
    ...(await refunds.where(isAny('reference', references, 'uuid')).execute()),
    ...(await refunds.where(isAny('provider_ref', providerRefs, 'text')).execute()),
  ]
}

/** The provider's references of the deposits that the account's owner was notified of. */
export async function selectDepositNames(
  tx: Tx,
  orgId: string,
  { accountId, names }: { accountId: string; names: readonly string[] },
): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('inbox')
    .select('reference')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('provider_status', '=', 'deposit')
    .where(isAny('reference', names, 'text'))
    .execute()
  return rows.map(({ reference }) => reference)
}

/** Attempts that the provider reported as completed, and that are not among the recorded ones. */
export async function selectUnlistedAttemptsAcrossOrgs(
  tx: Tx,
  account: Account,
  comparison: Comparison,
  page: { from: Date; to: Date; after: string | null; limit: number },
): Promise<OwnAttempt[]> {
  const rows = await joined(tx)
    .where('attempts.account_id', '=', account.accountId)
    .where('attempts.created_at', '>=', page.from)
    .where('attempts.created_at', '<', page.to)
    .where('attempts.updated_at', '<', comparison.until)
    .where('attempts.state', '=', 'succeeded')
    .$if(page.after !== null, (query) => query.where('attempts.reference', '>', page.after))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('listed_transactions as listed')
            .select('listed.part_no')
            .where('listed.org_id', '=', account.ownerId)
            .where('listed.comparison_id', '=', comparison.comparisonId)
            .whereRef('listed.reference', '=', 'attempts.reference'),
        ),
      ),
    )
    .orderBy('attempts.reference')
    .limit(page.limit)
    .execute()
  return rows.map(toOwn)
}

/** Accounts that were used since, or that deposits may arrive at. */
export async function selectAccountsAcrossOrgs(
  tx: Tx,
  since: Date,
): Promise<(Account & { createdAt: Date })[]> {
  const used = tx.db
    .selectFrom('attempts')
    .select('account_id')
    .where('created_at', '>=', since)
    .union(
      tx.db
        .selectFrom('virtual_accounts')
        .select('provider_account_id as account_id')
        .where('provider_account_id', 'is not', null)
        .$narrowType<{ account_id: NotNull }>(),
    )
  return tx.db
    .selectFrom('provider_accounts')
    .select(['org_id as ownerId', 'account_id as accountId', 'provider', 'created_at as createdAt'])
    .where('account_id', 'in', used)
    .execute()
}

/** When the last nightly comparison of each account began that was completed. */
export async function selectLastGoodRunsAcrossOrgs(tx: Tx): Promise<Map<string, Date>> {
  const { rows } = await sql<{ accountId: string; startedAt: Date }>`
    select account_id as "accountId", max(started_at) as "startedAt" from reconciliation_runs
    where status = 'completed' and origin = 'nightly' group by account_id`.execute(tx.db)
  return new Map(rows.map(({ accountId, startedAt }) => [accountId, startedAt]))
}

export async function findReviewPosition(
  tx: Tx,
  orgId: string,
  accountId: string,
): Promise<Date | undefined> {
  const row = await tx.db
    .selectFrom('reconciliation_reviews')
    .select('reviewed_until as reviewedUntil')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.reviewedUntil
}

export const writeReviewPosition = (orgId: string, accountId: string, reviewedUntil: Date): CompiledQuery =>
  statements
    .insertInto('reconciliation_reviews')
    .values({ org_id: orgId, account_id: accountId, reviewed_until: reviewedUntil })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'account_id'])
        .doUpdateSet({ reviewed_until: reviewedUntil, updated_at: sql`now()` }),
    )
    .compile()

/** Completed payments whose attempt at the account was created in the span, the oldest first. */
export const selectCompletedAcrossOrgs = (
  tx: Tx,
  accountId: string,
  span: { from: Date; to: Date; limit: number },
): Promise<{ orgId: string; paymentId: string; createdAt: Date }[]> =>
  tx.db
    .selectFrom('attempts')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.org_id', '=', 'attempts.org_id')
        .onRef('payments.payment_id', '=', 'attempts.payment_id'),
    )
    .select([
      'attempts.org_id as orgId',
      'attempts.payment_id as paymentId',
      'attempts.created_at as createdAt',
    ])
    .where('attempts.account_id', '=', accountId)
    .where('attempts.created_at', '>', span.from)
    .where('attempts.created_at', '<=', span.to)
    .where('attempts.state', '=', 'succeeded')
    .where('payments.status', '=', 'completed')
    .orderBy('attempts.created_at')
    .limit(span.limit)
    .execute()

export const insertRun = (orgId: string, run: Omit<ReconciliationRun, 'orgId'>): CompiledQuery =>
  statements
    .insertInto('reconciliation_runs')
    .values({
      org_id: orgId,
      run_id: run.runId,
      provider: run.provider,
      account_id: run.accountId,
      origin: run.origin,
      requested_by: run.requestedBy,
      since: run.since,
      status: run.status,
      checked: run.checked,
      findings: run.findings,
      started_at: run.startedAt,
      finished_at: run.finishedAt,
    })
    // The engine may repeat the step that records a run.
    .onConflict((conflict) => conflict.doNothing())
    .compile()

export async function selectRuns(
  tx: Tx,
  orgId: string,
  page: { withInstallation: boolean; filters: RunFilters; limit: number; before: Position | undefined },
): Promise<ReconciliationRun[]> {
  const { filters } = page
  let query = tx.db
    .selectFrom('reconciliation_runs')
    .select([
      'org_id as orgId',
      'run_id as runId',
      'provider',
      'account_id as accountId',
      'origin',
      'requested_by as requestedBy',
      'since',
      'status',
      'checked',
      'findings',
      'started_at as startedAt',
      'finished_at as finishedAt',
    ])
    .where('org_id', 'in', page.withInstallation ? [orgId, installationOrgId] : [orgId])
  if (filters.provider !== undefined) query = query.where('provider', '=', filters.provider)
  if (filters.status !== undefined) query = query.where('status', '=', filters.status)
  if (page.before) query = query.where(beforePosition('started_at', 'run_id', page.before))
  const rows = await query.orderBy('started_at', 'desc').orderBy('run_id', 'desc').limit(page.limit).execute()
  return rows.map((row) => ({
    ...row,
    origin: row.origin as ReconciliationRun['origin'], // check constraint
    status: row.status as ReconciliationRun['status'], // check constraint
  }))
}
