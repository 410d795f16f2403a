import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { RetainedPeople, RetentionMark } from './record.ts'

export async function findMark(
  tx: Tx,
  orgId: string,
  kind: RetainedPeople,
): Promise<RetentionMark | undefined> {
  const { rows } = await sql<RetentionMark>`
    select done_before as "doneBefore", erased::integer from retention_marks
    where org_id = ${orgId} and kind = ${kind}`.execute(tx.db)
  return rows[0]
}

export async function upsertMark(
  tx: Tx,
  orgId: string,
  mark: { kind: RetainedPeople; doneBefore: Date; newlyErased: number },
): Promise<void> {
  await sql`
    insert into retention_marks (org_id, kind, done_before, erased)
    values (${orgId}, ${mark.kind}, ${mark.doneBefore}, ${mark.newlyErased})
    on conflict (org_id, kind) do update
      set done_before = excluded.done_before, erased = retention_marks.erased + excluded.erased`.execute(
    tx.db,
  )
}
