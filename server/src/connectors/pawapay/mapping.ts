import { formatMinor, readMoney, type Money } from '../../lib/money/money.ts'
import { trimDecimals } from '../../lib/text/trim.ts'
import type {
  AcceptedOutcome,
  Attempt,
  CollectDetails,
  MobileMoney,
  Outcome,
  Payee,
  ProviderUpdate,
  RefundRequest,
} from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf, type FailureCode } from '../kit/failures.ts'
import { phoneDigits } from '../kit/phone.ts'
import type { Callback, Payment } from './answers.ts'

/** Maps pawaPay's failure codes to ours, and decides whether another provider may be tried. */
const failures = new Map<string, readonly [FailureCode, 'fallback' | 'final']>([
  ['NO_AUTHENTICATION', ['PROVIDER_REFUSED', 'fallback']],
  ['AUTHENTICATION_ERROR', ['PROVIDER_REFUSED', 'fallback']],
  ['AUTHORISATION_ERROR', ['PROVIDER_REFUSED', 'fallback']],
  ['HTTP_SIGNATURE_ERROR', ['PROVIDER_REFUSED', 'fallback']],
  ['DEPOSITS_NOT_ALLOWED', ['PROVIDER_REFUSED', 'fallback']],
  ['PAYOUTS_NOT_ALLOWED', ['PROVIDER_REFUSED', 'fallback']],
  ['INVALID_INPUT', ['PROVIDER_REFUSED', 'fallback']],
  ['MISSING_PARAMETER', ['PROVIDER_REFUSED', 'fallback']],
  ['UNSUPPORTED_PARAMETER', ['PROVIDER_REFUSED', 'fallback']],
  ['INVALID_PARAMETER', ['PROVIDER_REFUSED', 'fallback']],
  ['DUPLICATE_METADATA_FIELD', ['PROVIDER_REFUSED', 'fallback']],
  ['AMOUNT_OUT_OF_BOUNDS', ['AMOUNT_NOT_ALLOWED', 'fallback']],
  ['INVALID_AMOUNT', ['AMOUNT_NOT_ALLOWED', 'fallback']],
  ['INVALID_PHONE_NUMBER', ['ACCOUNT_INVALID', 'final']],
  ['INVALID_CURRENCY', ['CURRENCY_NOT_SUPPORTED', 'fallback']],
  ['INVALID_PROVIDER', ['NETWORK_NOT_SUPPORTED', 'fallback']],
  ['PROVIDER_TEMPORARILY_UNAVAILABLE', ['PROVIDER_UNAVAILABLE', 'fallback']],
  ['PAWAPAY_WALLET_OUT_OF_FUNDS', ['PROVIDER_OUT_OF_FUNDS', 'fallback']],
  ['PAYMENT_NOT_APPROVED', ['NOT_APPROVED', 'final']],
  ['INSUFFICIENT_BALANCE', ['INSUFFICIENT_FUNDS', 'final']],
  ['PAYMENT_IN_PROGRESS', ['OTHER_PAYMENT_IN_PROGRESS', 'final']],
  ['PAYER_NOT_FOUND', ['ACCOUNT_NOT_FOUND', 'final']],
  ['PAYER_LIMIT_REACHED', ['ACCOUNT_LIMIT_REACHED', 'final']],
  ['RECIPIENT_NOT_FOUND', ['ACCOUNT_NOT_FOUND', 'final']],
  ['RECIPIENT_LIMIT_REACHED', ['ACCOUNT_LIMIT_REACHED', 'final']],
  ['WALLET_LIMIT_REACHED', ['ACCOUNT_LIMIT_REACHED', 'final']],
  ['TRANSACTION_ALREADY_IN_PROCESS', ['OTHER_PAYMENT_IN_PROGRESS', 'final']],
  ['UNSPECIFIED_FAILURE', ['UNSPECIFIED', 'final']],
  ['MANUALLY_CANCELLED', ['UNSPECIFIED', 'final']],
  ['NOT_FOUND', ['NOT_REFUNDABLE', 'final']],
  ['INVALID_STATE', ['NOT_REFUNDABLE', 'final']],
  ['AMOUNT_TOO_LARGE', ['NOT_REFUNDABLE', 'final']],
  ['DEPOSIT_ALREADY_REFUNDED', ['NOT_REFUNDABLE', 'final']],
  ['REFUND_IN_PROGRESS', ['NOT_REFUNDABLE', 'final']],
])

export function declinedBy(failureCode: string): Outcome {
  // Whatever the code, pawaPay rejected the request and accepted nothing.
  const [code, next] = failures.get(failureCode) ?? ['UNSPECIFIED', 'fallback']
  return { kind: 'declined', failure: failureOf(code), fallback: next === 'fallback' }
}

export type Kind = 'deposit' | 'payout' | 'refund'

/** Open states in which a deposit no longer waits for its payer. */
const worksOn = new Set(['ENQUEUED', 'IN_RECONCILIATION'])

/** Open: ACCEPTED, PROCESSING, SUBMITTED, those above, and every unknown status. */
export function stateOf(kind: Kind, { status, failureReason }: StatusAndReason): ProviderState {
  if (status === 'COMPLETED') return { state: 'completed' }
  if (status !== 'FAILED') {
    return { state: kind === 'deposit' && !worksOn.has(status) ? 'pending' : 'processing' }
  }
  const failureCode = failureReason?.failureCode ?? ''
  if (failureCode === 'MANUALLY_CANCELLED') return { state: 'canceled' }
  return { state: 'failed', failure: failureOf(failures.get(failureCode)?.[0] ?? 'UNSPECIFIED') }
}

type StatusAndReason = Pick<Payment, 'status' | 'failureReason'>

export function acceptedOf(kind: Kind, payment: Payment): AcceptedOutcome {
  const state = stateOf(kind, payment)
  return {
    kind: 'accepted',
    providerRef: payment.providerTransactionId ?? null,
    providerStatus: payment.status,
    state,
    amount: readMoney(payment.amount, payment.currency),
    nextAction: redirectOf(payment, state),
  }
}

export function initiatedOf(kind: Kind, nextStep: string | undefined): AcceptedOutcome {
  const status = 'ACCEPTED'
  const state = stateOf(kind, { status })
  const accepted: AcceptedOutcome = { kind: 'accepted', providerRef: null, providerStatus: status, state }
  if (kind !== 'deposit') return accepted
  // The redirect URL becomes available a moment later, by an inquiry or a callback.
  return { ...accepted, nextAction: { type: nextStep === 'GET_AUTH_URL' ? 'check_status' : 'wait' } }
}

export function updateOf(callback: Callback): ProviderUpdate {
  const { kind, id } = identityOf(callback)
  const state = stateOf(kind, callback)
  return {
    dedupeKey: `${kind}:${id}:${callback.status}`,
    reference: id,
    subject: kind === 'refund' ? 'refund' : 'attempt',
    providerRef: callback.providerTransactionId ?? null,
    providerStatus: callback.status,
    state,
    amount: readMoney(callback.amount, callback.currency),
    nextAction: redirectOf(callback, state),
    ...('refundId' in callback && {
      refundOf: { reference: callback.depositId ?? null, providerRef: null, refundId: id },
    }),
  }
}

function identityOf(callback: Callback): { kind: Kind; id: string } {
  if ('refundId' in callback) return { kind: 'refund', id: callback.refundId }
  if ('payoutId' in callback) return { kind: 'payout', id: callback.payoutId }
  return { kind: 'deposit', id: callback.depositId }
}

function redirectOf({ authorizationUrl }: Payment, { state }: ProviderState): AcceptedOutcome['nextAction'] {
  return authorizationUrl && state === 'pending' ? { type: 'redirect', url: authorizationUrl } : undefined
}

/** pawaPay's pattern allows no trailing zeros: `100.5`, not `100.50`. */
export const amountText = ({ amountMinor, currency }: Money): string =>
  trimDecimals(formatMinor(amountMinor, currency), 0)

/** The message on the customer's phone has 4 to 22 letters, digits and spaces. */
export function customerMessage(description: string | undefined): string | undefined {
  const withoutAccents = (description ?? '').normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const plain = withoutAccents.replaceAll(/[^a-zA-Z0-9]+/g, ' ').trim()
  return plain.length < 4 ? undefined : plain.slice(0, 22)
}

export function depositRequest(
  attempt: Attempt,
  details: CollectDetails,
  redirectNetworks: readonly string[],
): object {
  const redirects = redirectNetworks.includes(details.mobileMoney?.network ?? '')
  return {
    depositId: attempt.reference,
    ...amountFields(attempt.amount),
    payer: partyOf(attempt, details.mobileMoney),
    customerMessage: customerMessage(details.description),
    ...(redirects && { successfulUrl: details.returnUrl, failedUrl: details.returnUrl }),
  }
}

export const payoutRequest = (attempt: Attempt, payee: Payee): object => ({
  payoutId: attempt.reference,
  ...amountFields(attempt.amount),
  recipient: partyOf(attempt, payee.mobileMoney),
  customerMessage: customerMessage(payee.description),
})

export const refundRequest = (attempt: Attempt, refund: RefundRequest): object => ({
  refundId: refund.reference,
  depositId: attempt.reference,
  ...amountFields(refund.amount),
})

const amountFields = (amount: Money): object => ({ amount: amountText(amount), currency: amount.currency })

const partyOf = ({ country }: Attempt, mobileMoney: MobileMoney | undefined): object => ({
  type: 'MMO',
  accountDetails: {
    phoneNumber: phoneDigits(mobileMoney?.phoneNumber ?? '', country),
    provider: mobileMoney?.network ?? '',
  },
})

export function missingFields({ mobileMoney }: CollectDetails | Payee): string[] {
  if (!mobileMoney) return ['mobile_money_details']
  const missing: string[] = []
  if (mobileMoney.network === '') missing.push('mobile_money_details.provider')
  if (mobileMoney.phoneNumber === '') missing.push('mobile_money_details.phone_number')
  return missing
}
