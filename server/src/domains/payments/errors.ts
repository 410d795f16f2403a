import { shortfallOf } from '../../kernel/ledger/available.ts'
import { asSuspended } from '../compliance/suspensions/errors.ts'
import { AppError, conflict, forbidden, validationError } from '../../lib/errors.ts'
import { formatMinor, type Money } from '../../lib/money/money.ts'
import type { Payment } from './record.ts'
import { providersFailed, type Decision } from './lifecycle/rules.ts'

export const routingConfigNotFound = (): AppError =>
  new AppError(
    'ROUTING_CONFIG_NOT_FOUND',
    422,
    'No provider is configured for this country, method, direction, currency and amount. Ask an administrator to add a provider configuration.',
  )

/** The payment was begun and has failed. Its record has the last definite refusal too, if there was one. */
export function allProvidersFailed({
  paymentId,
  failureCode: code,
  failureMessage: message,
}: Pick<Payment, 'paymentId' | 'failureCode' | 'failureMessage'>): AppError {
  const failure = code !== null && message !== null && code !== providersFailed.code && { code, message }
  return new AppError(
    'ALL_PROVIDERS_FAILED',
    502,
    failure
      ? `Every provider for this payment refused it or could not be reached. Nothing was charged. The last refusal: ${failure.message}`
      : 'No provider for this payment could be reached. Nothing was charged; try again later.',
    { fields: { payment_id: paymentId, ...(failure && { failure }) } },
  )
}

/** The only 503 with a payment id: the answer to the first transaction was lost, and so was every retry of it. */
export const beginningUnknown = (paymentId: string, cause: unknown): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    503,
    `The database did not answer, so it is not known whether payment ${paymentId} was begun. Look it up before you start it again, or repeat the request with the same Idempotency-Key.`,
    { cause, retryAfterSeconds: 1, fields: { payment_id: paymentId } },
  )

/** The refusal of a debit that the balance does not cover or a suspension stops; others are returned as they are. */
export function asUncovered(error: unknown, { amountMinor, currency }: Money): unknown {
  const shortfall = shortfallOf(error)
  if (!shortfall) return asSuspended(error)
  const missingMinor = -(shortfall.remainingMinor + shortfall.creditLimitMinor)
  return uncovered({ amountMinor, missingMinor, currency }, error)
}

/** The same refusal before anything is tried. */
export const notCovered = (funds: {
  requiredMinor: bigint
  spendableMinor: bigint
  currency: string
}): AppError =>
  uncovered({
    amountMinor: funds.requiredMinor,
    missingMinor: funds.requiredMinor - funds.spendableMinor,
    currency: funds.currency,
  })

function uncovered(
  { amountMinor, missingMinor, currency }: Money & { missingMinor: bigint },
  cause?: unknown,
): AppError {
  const format = (minor: bigint): string => `${formatMinor(minor, currency)} ${currency}`
  const there = `${format(amountMinor - missingMinor)} is available and ${format(missingMinor)} is missing`
  return new AppError(
    'INSUFFICIENT_FUNDS',
    422,
    `The balance of your organisation does not cover ${format(amountMinor)}: ${there}. Nothing was sent.`,
    { cause, details: [{ path: 'amount', message: there }] },
  )
}

export const fieldNeeded = (fields: readonly string[]): AppError =>
  validationError(
    `The providers for this payment need ${fields.join(', ')}.`,
    fields.map((path) => ({ path, message: 'is needed by every provider for this payment' })),
  )

export const cardDetailsRequired = (): AppError =>
  validationError('card_details: is required for card.', [
    { path: 'card_details', message: 'is required for card' },
  ])

export const cardsHostedOnly = (): AppError =>
  new AppError(
    'CARDS_HOSTED_ONLY',
    422,
    'card_details is not accepted: your organisation takes cards on the provider’s page only (cards: hosted_only). Leave card_details out and send the payer to redirect_url.',
    { details: [{ path: 'card_details', message: 'is not accepted under cards: hosted_only' }] },
  )

export const noSuchBeneficiary = (): AppError =>
  validationError('beneficiary_id: there is no such beneficiary.', [
    { path: 'beneficiary_id', message: 'there is no such beneficiary' },
  ])

export const linkTaken = (): AppError =>
  new AppError(
    'LINK_TAKEN',
    409,
    'Another payment for this link has started, or the link has changed. Reload it before you try again.',
  )

export function invalidOtp(triesLeft: number, hasFailed: boolean): AppError {
  // Providers do not report how many tries they allow, so our own limit is an upper bound.
  const left = triesLeft === 1 ? '1 more try is' : `${triesLeft} more tries are`
  const next = hasFailed ? 'The payment has failed; start a new one.' : 'Look at the status of the payment.'
  return new AppError(
    'INVALID_OTP',
    400,
    triesLeft > 0
      ? `The one-time password is wrong. At most ${left} possible; the provider may end the payment sooner.`
      : `The one-time password is wrong and no try is left. ${next}`,
  )
}

export const wrongState = (what: string): AppError => conflict(what)

/** The texts of the exceptions that are raised for manual review. */
export type PaymentException =
  | NonNullable<Decision['exception']>
  | 'outcome_unknown'
  | 'pending_too_long'
  | 'resolution_contradicted'

export const exceptionTexts: Record<PaymentException, { summary: string }> = {
  late_success: {
    summary: 'The provider completed a payment that we had called failed. It is completed now.',
  },
  reversed_after_completion: {
    summary:
      'The provider reports that a completed payment failed or was reversed, and could not confirm it. Nothing was changed here.',
  },
  payin_reversed: {
    summary: 'The provider reversed a completed payin. What was left of it was taken from the balance.',
  },
  payout_returned: {
    summary: 'The provider returned a completed payout. The balance that paid it was credited.',
  },
  returned_to_account: {
    summary: 'The provider gave a completed withdrawal back. The virtual account that paid it was credited.',
  },
  money_after_end: {
    summary: 'The provider reports money for a payment that had ended, or for a route that was given up.',
  },
  outcome_unknown: {
    summary: 'After 24 hours the provider has not said what became of the payment. It remains processing.',
  },
  pending_too_long: {
    summary: 'The payment has been waiting for the customer or the funds for a week.',
  },
  resolution_contradicted: {
    summary: 'The provider contradicts what two people decided about the payment.',
  },
  amount_differs: {
    summary: 'The provider names another amount or currency than the payment. Nothing was changed here.',
  },
}

export const twoOperatorsResolve = (): AppError =>
  forbidden(
    'This payment is carried out at an account of the installation, so two operators decide: propose its outcome with POST /v1/payments/{payment_id}/resolve, and another operator approves it.',
  )

export const operatorConfirms = (): AppError =>
  forbidden(
    'This payment is carried out at an account of the installation, so the operator confirms it. Payments at your own manual account are confirmed by your organisation.',
  )
