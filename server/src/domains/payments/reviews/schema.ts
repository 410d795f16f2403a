import { z } from 'zod'
import { wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { describeCause } from '../../pricing/approval-policies/rules.ts'
import { payoutPolicy, toPayoutPolicy } from '../../pricing/approval-policies/schema.ts'
import type { ReviewTask } from './record.ts'

export const listAwaitingQuery = z.object({
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const person = z.object({
  user_id: z.string(),
  name: z.string().nullable().meta({ description: 'Null when the user is no member any more.' }),
})

const awaitingPayment = z
  .object({
    payment_id: uuid,
    status: z.enum(['initiated', 'reviewed']),
    direction: z.enum(['inbound', 'outbound', 'external']),
    payment_method: z.string(),
    country: z.string(),
    amount: wireDecimal,
    currency: z.string(),
    target_amount: wireDecimal,
    target_currency: z.string(),
    beneficiary_id: uuid.nullable(),
    client_reference: z.string().nullable(),
    description: z.string().nullable(),
    initiated_by: person,
    first_review: person.extend({ comments: z.string().nullable(), reviewed_at: dateTime }).nullable(),
    policy: payoutPolicy.meta({ description: 'The policy that applied when it was initiated.' }),
    policy_reason: z.string(),
    may_review: z.boolean().meta({ description: 'Whether you may approve it.' }),
    decisions: z.array(z.enum(['approve', 'reject'])),
    reason: z.string().nullable().meta({ description: 'Why you may not approve it.' }),
    created_at: dateTime,
  })
  .meta({ id: 'PaymentAwaitingReview' })

export const awaitingPage = success(z.array(awaitingPayment)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

function toAwaiting({ payment, decisions, reason, names }: ReviewTask): z.input<typeof awaitingPayment> {
  const { source, target, cause } = payment
  const [first] = payment.reviews
  const personOf = (userId: string) => ({ user_id: userId, name: names.get(userId) ?? null })
  return {
    payment_id: payment.paymentId,
    status: awaitingPayment.shape.status.parse(payment.status),
    direction: payment.direction,
    payment_method: payment.method,
    country: payment.country,
    amount: wireAmount(source.amountMinor, source.currency),
    currency: source.currency,
    target_amount: wireAmount(target.amountMinor, target.currency),
    target_currency: target.currency,
    beneficiary_id: payment.beneficiaryId,
    client_reference: payment.clientReference,
    description: payment.description,
    initiated_by: personOf(payment.userId),
    first_review: first
      ? {
          ...personOf(first.userId),
          comments: first.comments,
          reviewed_at: first.createdAt.toISOString(),
        }
      : null,
    policy: toPayoutPolicy(cause.policy),
    policy_reason: describeCause(cause),
    may_review: decisions.includes('approve'),
    decisions,
    reason,
    created_at: payment.createdAt.toISOString(),
  }
}

export const toAwaitingPage = (page: Page<ReviewTask>): z.input<typeof awaitingPage> => ({
  ...ok('Payments that wait for approval, newest first.', page.items.map(toAwaiting)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
