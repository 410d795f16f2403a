import { sql } from 'kysely'
import type { KybNews } from '../../connectors/kit/kyb-provider.ts'
import type { Tx } from '../../db/database.ts'
import type { KybRow } from './record.ts'
import type { KybStatus } from './rules.ts'

const columns = [
  'org_id as orgId',
  'name',
  'kyb_status as status',
  'kyb_customer_id as customerId',
  'kyb_is_final as isFinal',
  'kyb_news_at as newsAt',
  'kyb_event_count as eventCount',
] as const

const toRow = (row: Omit<KybRow, 'status'> & { status: string }): KybRow => ({
  ...row,
  status: row.status as KybStatus, // check constraint
})

/** Locked, so that two who bring news are put in order. */
export async function lockKyb(tx: Tx, orgId: string): Promise<KybRow | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .select(columns)
    .where('org_id', '=', orgId)
    .forUpdate()
    .executeTakeFirst()
  return row && toRow(row)
}

/** Whose file it is. News may be here before the answer to the call that opened the file: then by our own id. */
export async function findOrgOfCustomerAcrossOrgs(
  tx: Tx,
  customer: { customerId: string; orgId: string | undefined },
): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .select('org_id')
    .where((is) =>
      is.or([
        is('kyb_customer_id', '=', customer.customerId),
        is.and([is('org_id', '=', customer.orgId ?? null), is('kyb_customer_id', 'is', null)]),
      ]),
    )
    .executeTakeFirst()
  return row?.org_id
}

export async function setInitiated(
  tx: Tx,
  orgId: string,
  change: { customerId: string; status: KybStatus },
): Promise<void> {
  await tx.db
    .updateTable('organizations')
    .set({
      kyb_status: change.status,
      kyb_customer_id: change.customerId,
      ...(change.status === 'pending' && { kyb_reason: null }),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .execute()
}

export async function applyNews(
  tx: Tx,
  orgId: string,
  change: { news: KybNews; eventCount: number },
): Promise<void> {
  const { news, eventCount } = change
  await tx.db
    .updateTable('organizations')
    .set({
      kyb_status: news.status,
      kyb_customer_id: news.customerId,
      kyb_reason: news.reason,
      kyb_is_final: news.isFinal,
      kyb_news_at: news.at,
      kyb_event_count: eventCount,
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .execute()
}

/** False for a repeat. */
export async function insertKybNews(
  tx: Tx,
  orgId: string,
  row: { dedupeKey: string; news: string; result: string },
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('kyb_inbox')
    .values({ org_id: orgId, dedupe_key: row.dedupeKey, news: row.news, result: row.result })
    .onConflict((conflict) => conflict.doNothing())
    .returning('dedupe_key')
    .executeTakeFirst()
  return inserted !== undefined
}
