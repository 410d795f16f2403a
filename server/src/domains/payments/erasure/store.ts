import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** One that has not ended, or has a refund that has not. */
export async function findUnendedOf(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ paymentId: string }>`
    select payment_id as "paymentId" from payments p
    where org_id = ${orgId} and payment_id = any(${[...paymentIds]}::uuid[]) and (is_open or exists (
      select from refunds r where r.org_id = p.org_id and r.payment_id = p.payment_id
        and r.state not in ('completed', 'failed')))
    limit 1`.execute(tx.db)
  return rows[0]?.paymentId
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
