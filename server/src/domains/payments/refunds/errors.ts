import { conflict, validationError, type AppError } from '../../../lib/errors.ts'
import type { RefundDecision } from './rules.ts'

export const notRefundable = (why: string): AppError => conflict(why)

export const moreThanLeft = (): AppError =>
  validationError('amount: is more than what is left of the payment.', [
    { path: 'amount', message: 'is more than what is left of the payment' },
  ])

/** The texts of the exceptions that are raised when a provider contradicts the outcome of a refund. */
export const exceptionTexts: Record<
  NonNullable<RefundDecision['exception']>,
  { summary: string; suggestedAction: string }
> = {
  refund_after_failure: {
    summary: 'The provider completed a refund that had failed here. Nothing was changed.',
    suggestedAction: 'Check the provider’s statement, and whether the customer was refunded again since.',
  },
  refund_reversed: {
    summary: 'The provider reports that a completed refund failed. Nothing was changed here.',
    suggestedAction: 'Compare with the provider’s statement and post a correction if the money came back.',
  },
}

export const refundUnderWay = (): AppError =>
  conflict('A refund of this payment is under way. Wait for its outcome before you start another.')

export const disputedPayment = (): AppError =>
  conflict(
    'The payer disputes this payment, and the provider has withdrawn the money. A refund would pay it back twice: answer the dispute instead (GET /v1/disputes?payment_id=…).',
  )
