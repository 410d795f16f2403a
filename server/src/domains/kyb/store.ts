import type { Tx } from '../../db/database.ts'

/** False if the same webhook was received before. */
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
