import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { Target, VerificationType, VerificationRequest, NewRequest } from './record.ts'

const columns = [
  'org_id as orgId',
  'request_id as requestId',
  'payment_id as paymentId',
  'target',
  'target_id as targetId',
  'verification_type as verificationType',
  'triggered_by as triggeredBy',
  'requested_by as requestedBy',
  'notification_id as notificationId',
  'answer_sealed as answerSealed',
  'answered_at as answeredAt',
  'expires_at as expiresAt',
  'created_at as createdAt',
] as const

type Row = Omit<VerificationRequest, 'target' | 'verificationType'> & {
  target: string
  verificationType: string
}

const toRequest = (row: Row): VerificationRequest => ({
  ...row,
  target: row.target as Target, // check constraint
  verificationType: row.verificationType as VerificationType, // check constraint
})

export async function insertRequest(tx: Tx, orgId: string, request: NewRequest): Promise<void> {
  await tx.db
    .insertInto('verification_requests')
    .values({
      org_id: orgId,
      request_id: request.requestId,
      payment_id: request.paymentId,
      target: request.target,
      target_id: request.targetId,
      verification_type: request.verificationType,
      triggered_by: request.triggeredBy,
      requested_by: request.requestedBy,
      notification_id: request.notificationId,
      expires_at: request.expiresAt,
    })
    .execute()
}

export async function findRequest(
  tx: Tx,
  orgId: string,
  requestId: string,
): Promise<VerificationRequest | undefined> {
  const row = await tx.db
    .selectFrom('verification_requests')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row && toRequest(row)
}

/** False if the request was answered already or has expired. */
export async function setAnswer(
  tx: Tx,
  orgId: string,
  answer: { requestId: string; answerSealed: Buffer; at: Date },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('verification_requests')
    .set({ answer_sealed: answer.answerSealed, answered_at: answer.at, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('request_id', '=', answer.requestId)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', answer.at)
    .returning('request_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function selectRequests(
  tx: Tx,
  orgId: string,
  page: { paymentId: string | undefined; limit: number; before: Position | undefined },
): Promise<VerificationRequest[]> {
  let query = tx.db.selectFrom('verification_requests').select(columns).where('org_id', '=', orgId)
  if (page.paymentId !== undefined) query = query.where('payment_id', '=', page.paymentId)
  if (page.before) query = query.where(beforePosition('created_at', 'request_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toRequest)
}
