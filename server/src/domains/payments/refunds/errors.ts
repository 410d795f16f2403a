import { conflict, validationError, type AppError } from '../../../lib/errors.ts'
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
  { summary: string; suggestedAction: string }
> = {
  refund_elsewhere: {
    summary: 'Somebody refunded a payment at the provider itself. It is booked like a refund of ours.',
    suggestedAction: 'Check that it was meant. Nothing else has to be done here.',
  },
  refund_unmatched: {
    summary:
      'The provider reports a refund of a payment, and it could not be booked. Nothing was changed here.',
    suggestedAction: 'Compare with the provider’s statement, then ask again or book an adjustment.',
  },
  refund_exceeds_payment: {
    summary: 'The provider refunded more than was left of a payment. The excess is missing in suspense.',
    suggestedAction:
      'Release it with release-money: returned if the provider made up for it, kept if the organisation pays it.',
  },
  refund_after_failure: {
    summary: 'The provider completed a refund that had failed here. Nothing was changed.',
    suggestedAction: 'Check the provider’s statement, and whether the customer was refunded again since.',
  },
  refund_reversed: {
    summary: 'The provider reports that a completed refund failed. Nothing was changed here.',
    suggestedAction: 'Compare with the provider’s statement and post a correction if the money came back.',
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
