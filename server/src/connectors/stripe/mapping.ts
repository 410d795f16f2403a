import type { Money } from '../../lib/money.ts'
import type { Accepted, Failure, NextAction, Outcome, ProviderState } from '../kit/connector.ts'
import { failureOf, type FailureCode } from '../kit/failures.ts'
import type { Intent, Refund, Session, StripeError, StripeObject } from './answers.ts'

/** Our word, whether another provider may say yes, and Stripe's codes. */
const failureTable: readonly (readonly [FailureCode, 'fallback' | 'final', codes: string])[] = [
  ['AMOUNT_NOT_ALLOWED', 'fallback', 'amount_too_large amount_too_small invalid_amount'],
  ['ACCOUNT_LIMIT_REACHED', 'final', 'card_velocity_exceeded withdrawal_count_limit_exceeded'],
  ['AUTHENTICATION_FAILED', 'final', 'authentication_required payment_intent_authentication_failure'],
  ['CARD_DECLINED', 'fallback', 'approve_with_id call_issuer do_not_honor generic_decline no_action_taken'],
  [
    'CARD_DECLINED',
    'fallback',
    'card_not_supported not_permitted service_not_allowed transaction_not_allowed',
  ],
  [
    'CARD_DECLINED',
    'final',
    'card_declined do_not_try_again duplicate_transaction invalid_account restricted_card',
  ],
  [
    'CARD_DECLINED',
    'final',
    'revocation_of_all_authorizations revocation_of_authorization stop_payment_order',
  ],
  ['CARD_EXPIRED', 'final', 'expired_card'],
  ['CARD_INVALID', 'final', 'incorrect_cvc incorrect_number incorrect_zip invalid_cvc invalid_number'],
  ['CARD_INVALID', 'final', 'invalid_expiry_month invalid_expiry_year'],
  ['CURRENCY_NOT_SUPPORTED', 'fallback', 'currency_not_supported'],
  ['INSUFFICIENT_FUNDS', 'final', 'insufficient_funds'],
  ['NOT_REFUNDABLE', 'final', 'charge_already_refunded charge_disputed payment_intent_unexpected_state'],
  ['PROVIDER_OUT_OF_FUNDS', 'final', 'balance_insufficient'],
  ['PROVIDER_UNAVAILABLE', 'fallback', 'issuer_not_available lock_timeout processing_error rate_limit'],
  ['PROVIDER_UNAVAILABLE', 'fallback', 'payment_method_unactivated reenter_transaction try_again_later'],
  ['SUSPECTED_FRAUD', 'final', 'fraudulent lost_card merchant_blacklist'],
  ['SUSPECTED_FRAUD', 'final', 'pickup_card security_violation stolen_card'],
  ['UNSPECIFIED', 'final', 'payment_intent_payment_attempt_failed'],
]
const failures = new Map(
  failureTable.flatMap(([code, next, codes]) => codes.split(' ').map((word) => [word, { code, next }])),
)
/** The codes that the table knows, for its test. */
export const knownFailureCodes: readonly string[] = [...failures.keys()]

const knownFailure = (error: StripeError) =>
  failures.get(error.decline_code ?? '') ?? failures.get(error.code ?? '')

function failureOfError(error: StripeError | null | undefined): Failure {
  const otherwise = error?.type === 'card_error' ? 'CARD_DECLINED' : 'UNSPECIFIED'
  return failureOf((error && knownFailure(error)?.code) ?? otherwise)
}

/** Only where Stripe says plainly that nothing moved. */
export function refusedOutcome(status: number, error: StripeError): Outcome {
  const { type } = error
  const declined = (code: FailureCode, fallback: boolean): Outcome => {
    return { kind: 'declined', failure: failureOf(code), fallback }
  }
  if (status === 429) return declined('PROVIDER_UNAVAILABLE', true)
  if (status === 401 || status === 403) return declined('PROVIDER_REFUSED', true)
  const isPlain = type === 'card_error' || type === 'invalid_request_error'
  const isOpen = !isPlain || status === 409 || status >= 500
  if (isOpen) return { kind: 'unknown', reason: `HTTP ${status} ${type}` }
  const known = knownFailure(error)
  if (known) return declined(known.code, known.next === 'fallback')
  return type === 'card_error' ? declined('CARD_DECLINED', false) : declined('PROVIDER_REFUSED', true)
}

/** An object of Stripe's in our words. */
export interface Seen {
  kind: StripeObject['object']
  providerRef: string
  /** Ours; null for an object that another program made at the same account. */
  reference: string | null
  isHosted: boolean
  createdAt: Date
  providerStatus: string
  state: ProviderState
  nextAction?: NextAction | undefined
  amount?: Money | undefined
  /** The intent behind a session. */
  intentId?: string | undefined
}

export const referenceKey = 'switchyard_reference'
export const flowKey = 'switchyard_flow'

/** `at` tells a checkout page that was closed early, on our word, from one whose time ran out. */
export function see(object: StripeObject, at: Date): Seen {
  const common = {
    kind: object.object,
    providerRef: object.id,
    reference: object.metadata?.[referenceKey] ?? null,
    isHosted: object.metadata?.[flowKey] === 'hosted',
    createdAt: new Date(object.created * 1_000),
  }
  switch (object.object) {
    case 'payment_intent':
      return { ...common, ...seeIntent(object, common.isHosted) }
    case 'checkout.session':
      return { ...common, ...seeSession(object, at) }
    case 'refund':
      return { ...common, ...seeRefund(object) }
    case 'customer':
      return { ...common, providerStatus: 'none', state: { state: 'processing' } }
  }
}

type OwnFields = Pick<Seen, 'providerStatus' | 'state' | 'nextAction' | 'amount' | 'intentId'>

function seeIntent(intent: Intent, isHosted: boolean): OwnFields {
  const { status, amount, amount_received: received, currency } = intent
  const state = intentState(intent, isHosted)
  const moved = state.state === 'completed' ? (received ?? amount) : amount
  const nextAction = status === 'requires_action' ? nextActionOf(intent) : undefined
  return { providerStatus: status, state, nextAction, amount: moneyOf(moved, currency) }
}

function intentState({ status, last_payment_error: error }: Intent, isHosted: boolean): ProviderState {
  if (status === 'succeeded') return { state: 'completed' }
  if (status === 'canceled') return { state: 'canceled' }
  if (status.startsWith('requires_') && status !== 'requires_payment_method') return { state: 'pending' }
  if (status !== 'requires_payment_method') return { state: 'processing' }
  // On a checkout page the customer may try again; everywhere else only we could, and we never do.
  return error && !isHosted ? { state: 'failed', failure: failureOfError(error) } : { state: 'pending' }
}

function nextActionOf({ next_action: action }: Intent): NextAction {
  if (action?.redirect_to_url) return { type: 'redirect', url: action.redirect_to_url.url }
  const transfer = action?.display_bank_transfer_instructions
  const reference = transfer?.reference ? { reference: transfer.reference } : {}
  for (const { iban, sort_code: british } of transfer?.financial_addresses ?? []) {
    const account = british
      ? { account_number: british.account_number, sort_code: british.sort_code }
      : { iban: iban?.iban, bank_code: iban?.bic }
    const account_name = (british ?? iban)?.account_holder_name
    if (account_name)
      return { type: 'bank_transfer', instructions: { account_name, ...account, ...reference } }
  }
  return { type: 'check_status' }
}

function seeSession(session: Session, at: Date): OwnFields {
  const { status, payment_status: paid, payment_intent: intent, amount_total: total, currency, url } = session
  const state = sessionState(session, at)
  return {
    providerStatus: `${status ?? 'none'}/${paid}`,
    state,
    nextAction: state.state === 'pending' && url ? { type: 'redirect', url } : undefined,
    amount: typeof total === 'number' && currency ? moneyOf(total, currency) : undefined,
    intentId: typeof intent === 'object' ? intent?.id : intent,
  }
}

function sessionState(session: Session, at: Date): ProviderState {
  const { status, payment_status: paid, payment_intent: intent } = session
  if (status === 'expired') {
    const isEarly = at.getTime() < session.expires_at * 1_000
    return isEarly ? { state: 'canceled' } : { state: 'failed', failure: failureOf('EXPIRED') }
  }
  if (paid === 'paid' || paid === 'no_payment_required') return { state: 'completed' }
  if (status !== 'complete') return { state: 'pending' }
  // The page is left and the money is not there: the intent, where it was sent along, knows more.
  return typeof intent === 'object' && intent ? intentState(intent, false) : { state: 'processing' }
}

const refundStates: Readonly<Record<string, 'pending' | 'completed' | 'canceled'>> = {
  requires_action: 'pending',
  succeeded: 'completed',
  canceled: 'canceled',
}

function seeRefund({ status, amount, currency }: Refund): OwnFields {
  const state: ProviderState =
    status === 'failed'
      ? { state: 'failed', failure: failureOf('UNSPECIFIED') }
      : { state: refundStates[status ?? ''] ?? 'processing' }
  return { providerStatus: status ?? 'none', state, amount: moneyOf(amount, currency) }
}

const moneyOf = (amount: number, currency: string): Money => ({
  amountMinor: BigInt(amount),
  currency: currency.toUpperCase(),
})

/** An answer about another payment than ours would be a mix-up on the way: it says nothing about ours. */
export function acceptedFor(reference: string, seen: Seen): Accepted | { kind: 'unknown'; reason: string } {
  if (seen.reference !== reference) return { kind: 'unknown', reason: 'the answer is about something else' }
  const { providerRef, providerStatus, state, amount, nextAction } = seen
  return { kind: 'accepted', providerRef, providerStatus, state, amount, nextAction }
}
