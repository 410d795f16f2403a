import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { Erasure, ErasureIds } from './record.ts'

const columns = [
  'org_id as orgId',
  'erasure_id as erasureId',
  'subject',
  'payment_ids as paymentIds',
  'beneficiary_ids as beneficiaryIds',
  'reason',
  'status',
  'requested_by as requestedBy',
  'approved_by as approvedBy',
  'refusal',
  'created_at as createdAt',
  'ended_at as endedAt',
] as const

type Row = Omit<Erasure, 'subject' | 'status'> & { subject: string; status: string }

const toErasure = (row: Row): Erasure => ({
  ...row,
  subject: row.subject as Erasure['subject'], // check constraint
  status: row.status as Erasure['status'], // check constraint
})

export async function insertErasure(tx: Tx, orgId: string, erasure: Erasure): Promise<void> {
  await tx.db
    .insertInto('erasures')
    .values({
      org_id: orgId,
      erasure_id: erasure.erasureId,
      subject: erasure.subject,
      payment_ids: erasure.paymentIds,
      beneficiary_ids: erasure.beneficiaryIds,
      reason: erasure.reason,
      status: erasure.status,
      requested_by: erasure.requestedBy,
      approved_by: erasure.approvedBy,
      created_at: erasure.createdAt,
      ended_at: erasure.endedAt,
    })
    .execute()
}

export async function findErasure(tx: Tx, orgId: string, erasureId: string): Promise<Erasure | undefined> {
  const row = await tx.db
    .selectFrom('erasures')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('erasure_id', '=', erasureId)
    .executeTakeFirst()
  return row && toErasure(row)
}

export async function selectErasures(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<Erasure[]> {
  let query = tx.db.selectFrom('erasures').select(columns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('created_at', 'erasure_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('erasure_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toErasure)
}

/** False if it has ended already. */
export async function endErasure(
  tx: Tx,
  orgId: string,
  end: { erasureId: string; status: 'done' | 'refused'; refusal: string | null; at: Date },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('erasures')
    .set({ status: end.status, refusal: end.refusal, ended_at: end.at })
    .where('org_id', '=', orgId)
    .where('erasure_id', '=', end.erasureId)
    .where('status', '=', 'pending')
    .returning('erasure_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function selectPendingErasuresAcrossOrgs(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<ErasureIds[]> {
  const { rows } = await sql<ErasureIds>`
    select org_id as "orgId", erasure_id as "erasureId" from erasures
    where status = 'pending' ${after === undefined ? sql`` : sql`and erasure_id > ${after}`}
    order by erasure_id limit ${limit}`.execute(tx.db)
  return rows
}

/** The payments that an erasure names which has not ended. */
export async function selectPendingPayments(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select unnest(payment_ids) as "paymentId" from erasures
    where org_id = ${orgId} and status = 'pending'`.execute(tx.db)
  return rows.map(({ paymentId }) => paymentId)
}
