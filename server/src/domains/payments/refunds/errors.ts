import type { Failure } from '../../../connectors/kit/state.ts'
import { conflict, forbidden, validationError, type AppError } from '../../../lib/errors.ts'
import type { RefundDecision } from './rules.ts'

export const notRefundable = (why: string): AppError => conflict(why)

export const moreThanLeft = (): AppError =>
  validationError('amount: is more than what is left of the payment.', [
    { path: 'amount', message: 'is more than what is left of the payment' },
  ])

/** The texts of the exceptions that are raised when a provider contradicts the outcome of a refund. */
export const exceptionTexts: Record<
  | NonNullable<RefundDecision['exception']>
  | 'refund_elsewhere'
  | 'refund_exceeds_payment'
  | 'refund_unmatched',
  { summary: string }
> = {
  refund_elsewhere: {
    summary: 'Somebody refunded a payment at the provider itself. It is booked like a refund of ours.',
  },
  refund_unmatched: {
    summary:
      'The provider reports a refund of a payment, and it could not be booked. Nothing was changed here.',
  },
  refund_exceeds_payment: {
    summary: 'The provider refunded more than was left of a payment. The excess is missing in suspense.',
  },
  refund_after_failure: {
    summary: 'The provider completed a refund that had failed here. Nothing was changed.',
  },
  refund_reversed: {
    summary: 'The provider reports that a completed refund failed. Nothing was changed here.',
  },
}

export const otherCurrency = (source: string, target: string): AppError =>
  validationError(`currency: must be ${source === target ? source : `${source} or ${target}`}.`, [
    { path: 'currency', message: 'is not a currency of the payment' },
  ])

export const tooSmall = (currency: string): AppError =>
  validationError(`amount: is less than the smallest unit of ${currency}.`, [
    { path: 'amount', message: `is less than the smallest unit of ${currency}` },
  ])

export const refundUnderWay = (): AppError =>
  conflict('A refund of this payment is under way. Wait for its outcome before you start another.')

export const waitsNotForApproval = (state: string): AppError =>
  conflict(`A refund that is ${state} waits for no approval.`)

export const notRequester = (): AppError =>
  forbidden('Only whoever requested the refund can withdraw it. You can reject it instead.')

/** Why a refund that waited for approval was not sent. */
export const rejected: Failure = {
  code: 'REFUND_REJECTED',
  message: 'The refund was rejected in review. Nothing was refunded.',
}

export const withdrawn: Failure = {
  code: 'REFUND_WITHDRAWN',
  message: 'Whoever requested the refund has withdrawn it. Nothing was refunded.',
}

export const requesterNotAllowed: Failure = {
  code: 'REQUESTER_NOT_ALLOWED',
  message: 'Whoever requested the refund may not request refunds any more. Nothing was refunded.',
}

export const notRefundableAnyMore: Failure = {
  code: 'NOT_REFUNDABLE',
  message:
    'While the refund waited, the provider returned the money, or a dispute may take it. Nothing was refunded.',
}

export const disputedPayment = (): AppError =>
  conflict(
    'The payer disputes this payment, and the provider has withdrawn the money. A refund would pay it back twice: answer the dispute instead (GET /v1/disputes?payment_id=…).',
  )
