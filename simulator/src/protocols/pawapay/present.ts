import { scaledAmount, majorFromMinor } from '../../core/money.ts'
import type { MoneyOperation, Transaction } from '../../core/transaction.ts'
import type { WebhookDraft } from '../../protocol.ts'
import { failureReason } from './failures.ts'
import { detailsSchema, type Details } from './schema.ts'
import { staysSubmitted } from './test-numbers.ts'

/** Four decimals are more than pawaPay's pattern allows. */
export const AMOUNT_SCALE = 4
const ANSWER_DECIMALS = 2

export const ID_NAMES = { collect: 'depositId', payout: 'payoutId', refund: 'refundId' } as const
const PARTY_NAMES = { collect: 'payer', payout: 'recipient', refund: 'recipient' } as const

type PaymentStatus = 'PROCESSING' | 'SUBMITTED' | 'ENQUEUED' | 'COMPLETED' | 'FAILED'

export function detailsOf(transaction: Transaction): Details {
  return detailsSchema.parse(transaction.details)
}

export function idOf(operation: MoneyOperation, reference: string): Record<string, string> {
  return { [ID_NAMES[operation]]: reference }
}

export function statusOf(transaction: Transaction): PaymentStatus {
  switch (transaction.state) {
    case 'completed':
      return 'COMPLETED'
    case 'failed':
    case 'canceled':
    // pawaPay has no status for a reversed payment; this is the closest.
    case 'reversed':
      return 'FAILED'
    case 'action_required':
    case 'pending':
      return pendingStatusOf(transaction)
  }
}

/** The record in the form of a status lookup. */
export function presentPayment(transaction: Transaction) {
  const { clientReferenceId } = detailsOf(transaction)
  return {
    ...presentForCallback(transaction, statusOf(transaction)),
    ...(clientReferenceId && { clientReferenceId }),
  }
}

/** Callbacks report final states and the redirect address. */
export function callbacksFor(transaction: Transaction, event?: string): WebhookDraft[] {
  const status = event ?? statusOf(transaction)
  const details = detailsOf(transaction)
  const redirects = transaction.state === 'action_required' && details.authorizationUrl !== undefined
  if (event === undefined && status !== 'COMPLETED' && status !== 'FAILED' && !redirects) return []
  const nextStep = redirects ? { nextStep: 'REDIRECT_TO_AUTH_URL' } : {}
  const body = JSON.stringify({ ...presentForCallback(transaction, status), ...nextStep })
  return [{ event: status, body, contentType: 'application/json; charset=UTF-8' }]
}

/** The form of a lookup without the client's reference. */
function presentForCallback(transaction: Transaction, status: string) {
  const { operation, failure } = transaction
  const details = detailsOf(transaction)
  const { phoneNumber, provider, country, customerMessage, metadata, authorizationUrl } = details
  return {
    ...idOf(operation, transaction.reference),
    status,
    amount: withTwoDecimals(transaction.amount),
    currency: transaction.currency,
    country,
    [PARTY_NAMES[operation]]: { type: 'MMO', accountDetails: { phoneNumber, provider } },
    ...(details.depositId !== undefined && operation === 'refund' && { depositId: details.depositId }),
    ...(customerMessage !== undefined && { customerMessage }),
    created: transaction.createdAt,
    providerTransactionId: transaction.providerRef,
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(status === 'FAILED' && failure && { failureReason: failureReason(failure.code, failure.message) }),
    metadata,
  }
}

function pendingStatusOf(transaction: Transaction): PaymentStatus {
  const { enqueued, phoneNumber } = detailsOf(transaction)
  if (enqueued === true) return 'ENQUEUED'
  return staysSubmitted(transaction.operation, phoneNumber) ? 'SUBMITTED' : 'PROCESSING'
}

function withTwoDecimals(amount: string): string {
  const scaled = scaledAmount(amount, ANSWER_DECIMALS)
  return scaled === undefined ? amount : majorFromMinor(scaled, ANSWER_DECIMALS)
}
