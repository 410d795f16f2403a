import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { Approver, ChangeKind, ChangeRequest, ChangeStatus } from './record.ts'

const columns = [
  'org_id as orgId',
  'request_id as requestId',
  'kind',
  'payload',
  'payload_sealed as payloadSealed',
  'summary',
  'approver',
  'status',
  'requested_by as requestedBy',
  'reviewed_by as reviewedBy',
  'decided_by as decidedBy',
  'comments',
  'expires_at as expiresAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const toRequest = (
  row: Omit<ChangeRequest, 'kind' | 'status' | 'approver'> & {
    kind: string
    status: string
    approver: string
  },
): ChangeRequest => ({
  ...row,
  kind: row.kind as ChangeKind, // written by insertRequest
  status: row.status as ChangeStatus, // check constraint
  approver: row.approver as Approver, // check constraint
})

export async function insertRequest(
  tx: Tx,
  orgId: string,
  request: Pick<
    ChangeRequest,
    | 'requestId'
    | 'kind'
    | 'payload'
    | 'payloadSealed'
    | 'summary'
    | 'approver'
    | 'requestedBy'
    | 'expiresAt'
    | 'createdAt'
  >,
): Promise<ChangeRequest> {
  const row = await tx.db
    .insertInto('change_requests')
    .values({
      org_id: orgId,
      request_id: request.requestId,
      kind: request.kind,
      payload: JSON.stringify(request.payload),
      payload_sealed: request.payloadSealed,
      summary: request.summary,
      approver: request.approver,
      requested_by: request.requestedBy,
      expires_at: request.expiresAt,
      created_at: request.createdAt,
      updated_at: request.createdAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toRequest(row)
}

export async function countPending(tx: Tx, orgId: string, now: Date): Promise<number> {
  const { count } = await tx.db
    .selectFrom('change_requests')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findRequest(
  tx: Tx,
  orgId: string,
  requestId: string,
): Promise<ChangeRequest | undefined> {
  const row = await tx.db
    .selectFrom('change_requests')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row && toRequest(row)
}

/** Of two people who decide at the same moment the second one waits, and finds it decided. */
export async function lockRequest(
  tx: Tx,
  orgId: string,
  requestId: string,
): Promise<ChangeRequest | undefined> {
  const row = await tx.db
    .selectFrom('change_requests')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('request_id', '=', requestId)
    .forUpdate()
    .executeTakeFirst()
  return row && toRequest(row)
}

export async function setReviewer(
  tx: Tx,
  orgId: string,
  { requestId, reviewedBy, at }: { requestId: string; reviewedBy: string; at: Date },
): Promise<ChangeRequest> {
  const row = await tx.db
    .updateTable('change_requests')
    .set({ reviewed_by: reviewedBy, updated_at: at })
    .where('org_id', '=', orgId)
    .where('request_id', '=', requestId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toRequest(row)
}

/** A decided request needs its secrets no longer. */
export async function endRequest(
  tx: Tx,
  orgId: string,
  end: {
    requestId: string
    status: 'approved' | 'rejected' | 'canceled'
    decidedBy: string
    comments: string | null
    at: Date
  },
): Promise<ChangeRequest> {
  const row = await tx.db
    .updateTable('change_requests')
    .set({
      status: end.status,
      decided_by: end.decidedBy,
      comments: end.comments,
      payload_sealed: null,
      updated_at: end.at,
    })
    .where('org_id', '=', orgId)
    .where('request_id', '=', end.requestId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toRequest(row)
}

export async function selectRequests(
  tx: Tx,
  orgId: string,
  page: { status: string | undefined; limit: number; before: Position | undefined },
): Promise<ChangeRequest[]> {
  let query = tx.db.selectFrom('change_requests').select(columns).where('org_id', '=', orgId)
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.before) query = query.where(beforePosition('created_at', 'request_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toRequest)
}

interface PendingPage {
  now: Date
  limit: number
}

/** The ones that expire first come first. */
const pending = (tx: Tx, { now, limit }: PendingPage) =>
  tx.db
    .selectFrom('change_requests')
    .select(columns)
    .where(sql<boolean>`status = 'pending'`)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .limit(limit)

export const selectPending = async (tx: Tx, orgId: string, page: PendingPage): Promise<ChangeRequest[]> =>
  (await pending(tx, page).where('org_id', '=', orgId).execute()).map(toRequest)

/** What the operator has to decide, whoever asks. */
export const selectOperatorsPendingAcrossOrgs = async (tx: Tx, page: PendingPage): Promise<ChangeRequest[]> =>
  (await pending(tx, page).where('approver', '=', 'operator').execute()).map(toRequest)

/** Of every organisation that the transaction sees. */
export const selectPendingOfKindAcrossOrgs = async (
  tx: Tx,
  kind: ChangeKind,
  page: PendingPage,
): Promise<ChangeRequest[]> => (await pending(tx, page).where('kind', '=', kind).execute()).map(toRequest)

/** An organisation without a row has change control. */
export async function isSwitchedOn(tx: Tx, orgId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('change_controls')
    .select('enabled')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.enabled ?? true
}

export async function upsertControl(tx: Tx, orgId: string, enabled: boolean): Promise<void> {
  await tx.db
    .insertInto('change_controls')
    .values({ org_id: orgId, enabled })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ enabled, updated_at: sql`now()` }))
    .execute()
}
