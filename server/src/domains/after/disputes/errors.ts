import { AppError, conflict, notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { describeAmount } from './build-events.ts'
import type { BookedMove, Dispute, DisputeAction, DisputeReport } from './record.ts'
import { isWithdrawal } from './rules.ts'

export const noSuchDispute = (): AppError => notFound('The dispute')

export const notAwaiting = ({ state }: Pick<Dispute, 'state'>): AppError =>
  conflict(
    state === 'under_review'
      ? 'The bank is reviewing this dispute, and the provider takes nothing more.'
      : `This dispute is ${state}. Only one with state warning or needs_response takes a response.`,
  )

export const actionUnderWay = (action: DisputeAction): AppError =>
  conflict(
    `The outcome of a call to the provider (${action}) is not known yet. GET the dispute again in a minute.`,
  )

export const notOffered = (provider: string, action: DisputeAction): AppError =>
  conflict(
    `${provider} has no call to ${action === 'submit' ? 'submit evidence' : 'accept a dispute'}. Use its dashboard; what you do there arrives here by its webhooks.`,
  )

export const noEvidence = (): AppError =>
  conflict('There is no evidence yet. Add some first: POST /v1/disputes/{dispute_id}/evidence.')

export const changedMeanwhile = (): AppError =>
  conflict('The dispute changed at the same moment. GET it and try again.')

/** The provider's answer to a response, which it refused or never got. */
export const refusedByProvider = (message: string): AppError => new AppError('PROVIDER_REFUSED', 422, message)

export const notReached = (provider: string): AppError =>
  new AppError('PROVIDER_UNAVAILABLE', 502, `${provider} could not be reached. Nothing was sent; try again.`)

/** Exceptions that the reports of a provider raise. */
export const unknownDispute = ({ account, report }: DisputeReport): NewException => {
  const named = 'reference' in report.payment ? report.payment.reference : report.payment.providerRef
  return {
    kind: 'unknown_reference',
    paymentId: null,
    provider: account.provider,
    findingKey: `unknown_reference ${account.provider} ${account.accountId} dispute ${report.providerRef}`,
    summary: `${account.provider} reports the dispute ${report.providerRef} (${report.providerStatus}) of a payment that is not known here: ${named}.`,
  }
}

export const disputeOfUnpaid = (
  { account, report }: DisputeReport,
  { paymentId, status }: { paymentId: string; status: string },
): NewException => ({
  kind: 'dispute_of_unpaid',
  paymentId,
  provider: account.provider,
  findingKey: `dispute_of_unpaid ${account.accountId} ${report.providerRef}`,
  summary: `${account.provider} reports the dispute ${report.providerRef} (${report.providerStatus}) of an attempt that is not paid here (the payment is ${status}). Nothing was booked.`,
})

export const disputeOfRamp = ({ account, report }: DisputeReport, paymentId: string): NewException => ({
  kind: 'dispute_of_ramp',
  paymentId,
  provider: account.provider,
  findingKey: `dispute_of_ramp ${account.accountId} ${report.providerRef}`,
  summary: `${account.provider} reports the dispute ${report.providerRef} (${report.providerStatus}) of a ramp. Nothing was booked.`,
})

const about = ({ disputeId, paymentId, provider }: Dispute, kind: NewException['kind']) => ({
  kind,
  paymentId,
  provider,
  findingKey: `${kind} ${disputeId}`,
})

export const contradicted = (dispute: Dispute, reported: string): NewException => ({
  ...about(dispute, 'dispute_contradicted'),
  summary: `${dispute.provider} reports a dispute as ${reported} that is ${dispute.state} here. Nothing was changed.`,
})

export const otherCurrency = (dispute: Dispute, reported: string): NewException => ({
  ...about(dispute, 'dispute_currency'),
  summary: `${dispute.provider} moved money of a dispute in ${reported}, but the payment was in ${dispute.currency}. It was not booked.`,
})

/** What the provider withdrew beyond the payment is missing in suspense; what it returned of that is there. */
export const beyondPayment = (dispute: Dispute, move: BookedMove): NewException => ({
  ...about(dispute, 'dispute_exceeds_payment'),
  exceptionId: newId(),
  findingKey: `dispute_exceeds_payment ${dispute.disputeId} ${move.moveNo}`,
  held: {
    amountMinor: isWithdrawal(move.moveNo) ? -move.excessMinor : move.excessMinor,
    currency: move.currency,
    provider: dispute.provider,
    accountId: dispute.accountId,
    custody: dispute.custody,
  },
  summary: isWithdrawal(move.moveNo)
    ? 'A dispute withdrew more than was left of its payment, so the payer was paid twice. The excess is missing in suspense.'
    : 'A dispute returned money that had exceeded its payment. It is in suspense.',
})

export const refundedToo = (dispute: Dispute): NewException => ({
  ...about(dispute, 'dispute_of_refunded'),
  exceptionId: newId(),
  summary: `A dispute of ${describeAmount(dispute)} and the refunds of its payment are together more than was paid.`,
})

export const actionUnknown = (dispute: Dispute, action: DisputeAction): NewException => ({
  ...about(dispute, 'dispute_action_unknown'),
  summary: `Nobody knows whether ${dispute.provider} received a response (${action}) to a dispute.`,
})
