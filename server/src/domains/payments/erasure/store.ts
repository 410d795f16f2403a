import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { OldPayment, OldPayments } from './record.ts'

/** Those that have not ended, or have a refund that has not. */
export async function selectUnendedOf(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select payment_id as "paymentId" from payments p
    where org_id = ${orgId} and payment_id = any(${[...paymentIds]}::uuid[]) and (is_open or exists (
      select from refunds r where r.org_id = p.org_id and r.payment_id = p.payment_id
        and r.state not in ('completed', 'failed')))`.execute(tx.db)
  return rows.map(({ paymentId }) => paymentId)
}

export async function selectPaymentsTo(tx: Tx, orgId: string, beneficiaryId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('payments')
    .select('payment_id as paymentId')
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', beneficiaryId)
    .where('erased_at', 'is', null)
    .execute()
  return rows.map(({ paymentId }) => paymentId)
}

export async function selectLinkIds(tx: Tx, orgId: string, paymentIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ linkId: string }>`
    select distinct link_id as "linkId" from payments where org_id = ${orgId}
      and payment_id = any(${[...paymentIds]}::uuid[]) and link_id is not null`.execute(tx.db)
  return rows.map(({ linkId }) => linkId)
}

/** The version stays: what others know about the payment itself does not change. */
export async function clearDetails(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    update payments set private_sealed = '', card = null, description = null, metadata = null, comments = null,
      return_url = null, next_action = null, erased_at = ${at}
    where org_id = ${orgId} and payment_id = any(${[...paymentIds]}::uuid[]) and erased_at is null`.execute(
    tx.db,
  )
}

export async function selectOldPayments(
  tx: Tx,
  orgId: string,
  { kind, since, before, after, limit }: OldPayments,
): Promise<OldPayment[]> {
  const { rows } = await sql<OldPayment>`
    select payment_id as "paymentId", beneficiary_id as "beneficiaryId", created_at as "createdAt",
      (is_open or updated_at >= ${before}) as "isRecent"
    from payments
    where org_id = ${orgId} and created_at < ${before} and erased_at is null
      and ${kind === 'beneficiary' ? sql`direction = 'outbound'` : sql`direction <> 'outbound'`}
      ${since ? sql`and created_at >= ${since}` : sql``}
      ${after ? sql`and (created_at, payment_id) > (${after.createdAt}, ${after.paymentId}::uuid)` : sql``}
    order by created_at, payment_id limit ${limit}`.execute(tx.db)
  return rows
}
