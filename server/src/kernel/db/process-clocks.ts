import { sql } from 'kysely'
import type { Database } from './database.ts'
import { stampNow } from './money-clock.ts'

/** Stores what this process has measured, and returns what the other running ones have. */
export const exchangeSkewsAcrossOrgs = (
  db: Database,
  own: { processId: string; skewMs: number },
): Promise<number[]> =>
  db.acrossOrgs(async (tx) => {
    const measured = { skew_ms: own.skewMs, measured_at: stampNow() }
    await tx.db
      .insertInto('process_clocks')
      .values({ process_id: own.processId, ...measured })
      .onConflict((conflict) => conflict.column('process_id').doUpdateSet(measured))
      .execute()
    await sql`delete from process_clocks where measured_at < money_clock() - interval '10 minutes'`.execute(
      tx.db,
    )
    const { rows } = await sql<{ skewMs: number }>`
      select skew_ms as "skewMs" from process_clocks
      where process_id <> ${own.processId} and measured_at > money_clock() - interval '30 seconds'`.execute(
      tx.db,
    )
    return rows.map(({ skewMs }) => skewMs)
  })
