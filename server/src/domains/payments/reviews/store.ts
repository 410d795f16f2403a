import { sql, type CompiledQuery } from 'kysely'
import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { ApprovalCause } from '../../pricing/approval-policies/record.ts'
import type { Direction, Payment } from '../record.ts'
import type { Status } from '../lifecycle/rules.ts'
import type { AwaitingPayment, StoredReview } from './record.ts'

export const insertReviewRequest = (
  orgId: string,
  { paymentId, createdAt }: Pick<Payment, 'paymentId' | 'createdAt'>,
  { kind, policy }: ApprovalCause,
): CompiledQuery =>
  statements
    .insertInto('review_requests')
    .values({
      org_id: orgId,
      payment_id: paymentId,
      cause: kind,
      policy_currency: policy.currency,
      payout_from_minor: policy.fromMinor.toString(),
      daily_from_minor: policy.dailyFromMinor?.toString() ?? null,
      created_at: createdAt,
    })
    .compile()

export const endReviewRequest = (orgId: string, paymentId: string): CompiledQuery =>
  statements
    .updateTable('review_requests')
    .set({ is_waiting: false })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .compile()

interface ReviewColumn {
  user_id: string
  comments: string | null
  created_at: string
}

/** Newest first. */
export async function selectAwaiting(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<AwaitingPayment[]> {
  let query = tx.db
    .selectFrom('review_requests as request')
    .innerJoin('payments as payment', (join) =>
      join
        .onRef('payment.org_id', '=', 'request.org_id')
        .onRef('payment.payment_id', '=', 'request.payment_id'),
    )
    .select([
      'payment.payment_id as paymentId',
      'payment.status',
      'payment.direction',
      'payment.payment_method as method',
      'payment.country',
      'payment.amount_minor as amountMinor',
      'payment.currency',
      'payment.target_amount_minor as targetMinor',
      'payment.target_currency as targetCurrency',
      'payment.beneficiary_id as beneficiaryId',
      'payment.client_reference as clientReference',
      'payment.description',
      'payment.user_id as userId',
      'request.cause',
      'request.policy_currency as policyCurrency',
      'request.payout_from_minor as fromMinor',
      'request.daily_from_minor as dailyFromMinor',
      'request.created_at as createdAt',
      sql<ReviewColumn[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('user_id', review.user_id, 'comments', review.comments,
          'created_at', review.created_at) order by review.created_at), '[]')
        from reviews review where review.org_id = request.org_id and review.payment_id = request.payment_id
      )`.as('reviews'),
    ])
    .where('request.org_id', '=', orgId)
    // Written as in the partial index.
    .where(sql<boolean>`request.is_waiting`)
  if (page.before)
    query = query.where(beforePosition('request.created_at', 'request.payment_id', page.before))
  const rows = await query
    .orderBy('request.created_at', 'desc')
    .orderBy('request.payment_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({
    paymentId: row.paymentId,
    status: row.status as Status, // check constraint
    direction: row.direction as Direction, // check constraint
    method: row.method as PaymentMethod, // check constraint
    country: row.country,
    source: { amountMinor: BigInt(row.amountMinor), currency: row.currency },
    target: { amountMinor: BigInt(row.targetMinor), currency: row.targetCurrency },
    beneficiaryId: row.beneficiaryId,
    clientReference: row.clientReference,
    description: row.description,
    userId: row.userId,
    cause: causeOf(row),
    reviews: row.reviews.map(toReview),
    createdAt: row.createdAt,
  }))
}

const toReview = (review: ReviewColumn): StoredReview => ({
  userId: review.user_id,
  comments: review.comments,
  createdAt: new Date(review.created_at),
})

const causeOf = (row: {
  cause: string
  policyCurrency: string
  fromMinor: string
  dailyFromMinor: string | null
}): ApprovalCause => ({
  kind: row.cause as ApprovalCause['kind'], // check constraint
  policy: {
    currency: row.policyCurrency,
    kind: 'payout',
    fromMinor: BigInt(row.fromMinor),
    dailyFromMinor: row.dailyFromMinor === null ? null : BigInt(row.dailyFromMinor),
  },
})

export async function countAwaitingAcrossOrgs(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from review_requests where is_waiting`.execute(tx.db)
  return rows[0]?.count ?? 0
}
