import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type { HeldSubject, LegalHold } from './record.ts'

const columns = [
  'org_id as orgId',
  'hold_id as holdId',
  'subject',
  'subject_id as subjectId',
  'reason',
  'placed_by as placedBy',
  'placed_at as placedAt',
  'lifted_by as liftedBy',
  'lifted_at as liftedAt',
] as const

const toHold = (row: Omit<LegalHold, 'subject'> & { subject: string }): LegalHold => ({
  ...row,
  subject: row.subject as HeldSubject, // check constraint
})

export async function insertHold(tx: Tx, orgId: string, hold: LegalHold): Promise<void> {
  await tx.db
    .insertInto('legal_holds')
    .values({
      org_id: orgId,
      hold_id: hold.holdId,
      subject: hold.subject,
      subject_id: hold.subjectId,
      reason: hold.reason,
      placed_by: hold.placedBy,
      placed_at: hold.placedAt,
    })
    .execute()
}

export async function selectHolds(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<LegalHold[]> {
  let query = tx.db.selectFrom('legal_holds').select(columns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('placed_at', 'hold_id', page.before))
  const rows = await query.orderBy('placed_at', 'desc').orderBy('hold_id', 'desc').limit(page.limit).execute()
  return rows.map(toHold)
}

/** Undefined if there is none in force. */
export async function updateLifted(
  tx: Tx,
  orgId: string,
  lifted: { holdId: string; by: string; at: Date },
): Promise<LegalHold | undefined> {
  const row = await tx.db
    .updateTable('legal_holds')
    .set({ lifted_by: lifted.by, lifted_at: lifted.at })
    .where('org_id', '=', orgId)
    .where('hold_id', '=', lifted.holdId)
    .where('lifted_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
  return row && toHold(row)
}

export async function selectHeldOrgsAcrossOrgs(tx: Tx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('legal_holds')
    .select('org_id as orgId')
    .distinct()
    .where('lifted_at', 'is', null)
    .execute()
  return rows.map(({ orgId }) => orgId)
}

export async function selectHeldSubjects(
  tx: Tx,
  orgId: string,
  subjectIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ subjectId: string }>`
    select subject_id as "subjectId" from legal_holds
    where org_id = ${orgId} and subject_id = any(${[...subjectIds]}::uuid[]) and lifted_at is null`.execute(
    tx.db,
  )
  return rows.map(({ subjectId }) => subjectId)
}
