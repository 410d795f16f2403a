import { z } from 'zod'
import { RateDecimal, toRate, wireRate, type Rate } from '../../../lib/money/decimal.ts'
import { exponentOf, isCrypto, isFiat, parseMinor, wireAmount, type Money } from '../../../lib/money/money.ts'
import { validationError } from '../../../lib/errors.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { person } from '../reviews/schema.ts'
import { moment } from '../schema.ts'
import {
  costMinor,
  isEndedRefund,
  isWaitingRefund,
  type Refund,
  type RefundFilters,
  type RefundTask,
} from './record.ts'

export const paymentParams = z.object({ payment_id: uuid })
export const refundParams = z.object({ refund_id: uuid })

export const reviewRefundBody = z.object({
  decision: z.enum(['approve', 'reject']),
  comments: z.string().trim().min(1).max(2000).nullish(),
})

export const listAwaitingQuery = z.object({
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const refundBody = z.object({
  amount: z
    .number()
    .positive()
    .optional()
    .meta({ description: 'All that is left of the payment if absent.' }),
  currency: z.string().length(3).optional().meta({
    description:
      'The currency of the amount: the one that was collected (default), or that of an exchanged payment’s target. In the target currency it is what the refund may cost at most.',
  }),
  reason: z.string().trim().min(1).max(500),
})

const refund = z
  .object({
    refund_id: uuid,
    payment_id: uuid,
    amount: wireDecimal,
    currency: z.string(),
    debit_amount: wireDecimal.meta({
      description:
        'What your balance pays for it. One that waits for approval is priced when it is approved; until then, this is at the payment’s own rate.',
    }),
    debit_currency: z.string().meta({
      description: 'Of an exchanged payment its target currency.',
    }),
    market_rate: wireDecimal.nullable().meta({
      description:
        'Units of `debit_currency` for one unit of `currency`, locked for the refund; null if nothing is exchanged, or if the payment’s own rate applies, as it does at first (`REFUND_OWN_RATE_HOURS`).',
    }),
    rate_difference: wireDecimal.meta({
      description:
        'How much of `debit_amount` the market rate adds to the payment’s own rate; negative if it costs less.',
    }),
    origin: z.enum(['api', 'provider']).meta({
      description: '`provider`: it was made at the provider itself, for example in its dashboard.',
    }),
    reason: z.string(),
    status: z.enum(['awaiting_approval', 'processing', 'completed', 'failed']).meta({
      description:
        '`awaiting_approval`: nothing was sent, and the amount is held until two people have approved it.',
    }),
    approval_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why your approval policies made it wait; null if they did not.' }),
    provider: z.string(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Refund' })

export const listRefundsQuery = z.object({
  status: refund.shape.status.optional(),
  origin: refund.shape.origin.optional(),
  provider: z.string().max(40).optional(),
  currency: z.string().max(10).optional(),
  payment_id: uuid.optional(),
  from: moment.optional(),
  to: moment.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const toRefundFilters = (query: z.infer<typeof listRefundsQuery>): RefundFilters => ({
  status: query.status,
  origin: query.origin,
  provider: query.provider,
  currency: query.currency,
  paymentId: query.payment_id,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
})

export const refundPage = success(z.array(refund)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

const awaitingRefund = refund
  .omit({ status: true, failure: true, approval_reason: true, origin: true })
  .extend({
    requested_by: person,
    first_review: person.extend({ comments: z.string().nullable(), reviewed_at: dateTime }).nullable(),
    policy_reason: z.string(),
    may_review: z.boolean().meta({ description: 'Whether you may approve it.' }),
    decisions: z.array(z.enum(['approve', 'reject'])),
    refusal: z.string().nullable().meta({ description: 'Why you may not approve it.' }),
  })
  .meta({ id: 'RefundAwaitingReview' })

export const awaitingRefundPage = success(z.array(awaitingRefund)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const refundResponse = success(refund)
export const refundList = success(z.array(refund)).extend({ count: z.int() })

/** In the currency that the payment collected, unless the body names another one. */
export function refundAmount(body: z.output<typeof refundBody>, collected: string): Money | undefined {
  const { amount, currency = collected } = body
  if (amount === undefined) return undefined
  if (!isFiat(currency) && !isCrypto(currency)) throw validationError('currency: is not known.')
  const amountMinor = parseMinor(String(amount), currency)
  if (amountMinor === undefined) throw validationError(`amount: has more decimals than ${currency} has.`)
  return { amountMinor, currency }
}

const statusOf = (row: Refund): z.infer<typeof refund>['status'] =>
  isEndedRefund(row) || isWaitingRefund(row) ? refund.shape.status.parse(row.state) : 'processing'

const majorRate = ({ currency, debitCurrency }: Refund, marketRate: string): Rate =>
  toRate(marketRate).mul(new RateDecimal(10).pow(exponentOf(currency) - exponentOf(debitCurrency)))

export const toRefund = (row: Refund): z.input<typeof refund> => ({
  refund_id: row.refundId,
  payment_id: row.paymentId,
  amount: wireAmount(row.amountMinor, row.currency),
  currency: row.currency,
  debit_amount: wireAmount(costMinor(row), row.debitCurrency),
  debit_currency: row.debitCurrency,
  market_rate: row.marketRate === null ? null : wireRate(majorRate(row, row.marketRate)),
  rate_difference: wireAmount(row.differenceMinor, row.debitCurrency),
  origin: row.origin,
  reason: row.reason,
  status: statusOf(row),
  approval_reason: row.approvalReason,
  provider: row.provider,
  failure: row.failureCode === null ? null : { code: row.failureCode, message: row.failureMessage ?? '' },
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toRefundList = (rows: readonly Refund[]): z.input<typeof refundList> => ({
  ...ok('Refunds of the payment, oldest first.', rows.map(toRefund)),
  count: rows.length,
})

export const toRefundPage = (page: Page<Refund>): z.input<typeof refundPage> => ({
  ...ok('Refunds, newest first.', page.items.map(toRefund)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

function toAwaiting(task: RefundTask): z.input<typeof awaitingRefund> {
  const {
    status: _status,
    failure: _failure,
    approval_reason,
    origin: _origin,
    ...row
  } = toRefund(task.refund)
  const personOf = (userId: string) => ({ user_id: userId, name: task.names.get(userId) ?? null })
  const [first] = task.reviews
  return {
    ...row,
    requested_by: personOf(task.refund.userId),
    first_review: first
      ? {
          ...personOf(first.userId),
          comments: first.comments,
          reviewed_at: first.createdAt.toISOString(),
        }
      : null,
    policy_reason: approval_reason ?? '',
    may_review: task.decisions.includes('approve'),
    decisions: task.decisions,
    refusal: task.reason,
  }
}

export const toAwaitingRefundPage = (page: Page<RefundTask>): z.input<typeof awaitingRefundPage> => ({
  ...ok('Refunds that wait for approval, newest first.', page.items.map(toAwaiting)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
