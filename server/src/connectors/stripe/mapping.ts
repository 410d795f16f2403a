import type { AcceptedOutcome, NextAction, Outcome } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failedWith } from '../kit/failures.ts'
import { declined, refusalTable, type Refusal } from '../kit/reasons.ts'
import { createReplyReader, type Reading, type RefusedReply } from '../kit/replies.ts'
import { objectSchema, type Intent, type Refund, type Session, type StripeObject } from './answers.ts'

/** Decline codes, error codes and error types. */
export const refusals = refusalTable([
  ['AMOUNT_NOT_ALLOWED', 'fallback', 'amount_too_large amount_too_small invalid_amount'],
  ['ACCOUNT_LIMIT_REACHED', 'final', 'card_velocity_exceeded withdrawal_count_limit_exceeded'],
  ['AUTHENTICATION_FAILED', 'final', 'authentication_required payment_intent_authentication_failure'],
  ['CARD_DECLINED', 'fallback', 'approve_with_id call_issuer do_not_honor generic_decline no_action_taken'],
  ['CARD_DECLINED', 'fallback', 'card_not_supported not_permitted service_not_allowed'],
  ['CARD_DECLINED', 'fallback', 'transaction_not_allowed'],
  ['CARD_DECLINED', 'final', 'card_declined do_not_try_again duplicate_transaction invalid_account'],
  ['CARD_DECLINED', 'final', 'restricted_card revocation_of_all_authorizations revocation_of_authorization'],
  ['CARD_DECLINED', 'final', 'stop_payment_order card_error'],
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
])

const refusalIn = (words: readonly string[]): Refusal | undefined =>
  refusals.get(words.findLast((word) => refusals.has(word)) ?? '')

const plainTypes = ['card_error', 'invalid_request_error']

/** Only answers in which Stripe states that nothing moved are declines. */
export function refusalOf({ status, words }: RefusedReply): Outcome {
  const [type = ''] = words
  if (status === 429) return declined('PROVIDER_UNAVAILABLE')
  if (status === 401 || status === 403) return declined('PROVIDER_REFUSED')
  if (!plainTypes.includes(type) || status === 409)
    return { kind: 'unknown', reason: `HTTP ${status} ${type}` }
  return declined(...(refusalIn(words) ?? ['PROVIDER_REFUSED', 'fallback']))
}

/** A Stripe object in our terms. */
interface StripeView extends Omit<AcceptedOutcome, 'kind'> {
  providerRef: string
  /** Our reference. Null for an object that another program created in the same account. */
  reference: string | null
  /** An intent of a checkout page. Only its session decides, because a declined card is not final there. */
  isBehindPage: boolean
  createdAt: Date
  /** The intent of a session. */
  intentId?: string | undefined
}

export const referenceKey = 'switchyard_reference'
export const flowKey = 'switchyard_flow'

/** `at` distinguishes a checkout page that we closed from one that expired. */
export function readObject(object: StripeObject, at: Date): StripeView {
  const { id: providerRef, metadata } = object
  const reference = metadata?.[referenceKey] ?? null
  const isBehindPage = object.object === 'payment_intent' && metadata?.[flowKey] === 'hosted'
  const createdAt = new Date(object.created * 1_000)
  const common = { providerRef, reference, isBehindPage, createdAt }
  if (object.object === 'payment_intent') return { ...common, ...readIntent(object, isBehindPage) }
  return { ...common, ...(object.object === 'refund' ? readRefund(object) : readSession(object, at)) }
}

type OwnFields = Pick<StripeView, 'providerStatus' | 'state' | 'nextAction' | 'amount' | 'intentId'>

function readIntent(intent: Intent, isHosted: boolean): OwnFields {
  const { status, amount, amount_received: received, currency } = intent
  const state = intentState(intent, isHosted)
  const amountMinor = state.state === 'completed' ? (received ?? amount) : amount
  const nextAction = status === 'requires_action' ? nextActionOf(intent) : undefined
  return { providerStatus: status, state, nextAction, amount: { amountMinor, currency } }
}

function intentState({ status, last_payment_error: error }: Intent, isHosted: boolean): ProviderState {
  if (status === 'succeeded') return { state: 'completed' }
  if (status === 'canceled') return { state: 'canceled' }
  if (!status.startsWith('requires_')) return { state: 'processing' }
  // Only on a checkout page can the customer try again.
  const isOver = status === 'requires_payment_method' && error && !isHosted
  return isOver ? failedWith(refusalIn(error)?.[0] ?? 'UNSPECIFIED') : { state: 'pending' }
}

function nextActionOf({ next_action: action }: Intent): NextAction {
  if (action?.redirect_to_url) return { type: 'redirect', url: action.redirect_to_url.url }
  const { reference, financial_addresses = [] } = action?.display_bank_transfer_instructions ?? {}
  const [account] = financial_addresses.flatMap(({ iban, sort_code }) => sort_code ?? iban ?? [])
  if (!account) return { type: 'check_status' }
  const { account_holder_name: account_name, ...numbers } = account
  const named = 'bic' in numbers ? { iban: numbers.iban, bank_code: numbers.bic } : numbers
  return { type: 'bank_transfer', instructions: { account_name, ...named, ...(reference && { reference }) } }
}

function readSession(session: Session, at: Date): OwnFields {
  const { status, payment_status: paid, payment_intent: intent, amount_total: total, currency, url } = session
  const state = sessionState(session, at)
  return {
    providerStatus: `${status ?? 'none'}/${paid}`,
    state,
    nextAction: state.state === 'pending' && url ? { type: 'redirect', url } : undefined,
    amount: typeof total === 'bigint' && currency ? { amountMinor: total, currency } : undefined,
    intentId: typeof intent === 'object' ? intent?.id : intent,
  }
}

function sessionState(session: Session, at: Date): ProviderState {
  const { status, payment_status: paid, payment_intent: intent } = session
  const isEarly = at.getTime() < session.expires_at * 1_000
  if (status === 'expired') return isEarly ? { state: 'canceled' } : failedWith('EXPIRED')
  if (paid === 'paid' || paid === 'no_payment_required') return { state: 'completed' }
  if (status !== 'complete') return { state: 'pending' }
  // The page is complete but not paid, so the expanded intent decides if it is present.
  return typeof intent === 'object' && intent ? intentState(intent, false) : { state: 'processing' }
}

const refundStates: Readonly<Record<string, ProviderState>> = {
  requires_action: { state: 'pending' },
  succeeded: { state: 'completed' },
  canceled: { state: 'canceled' },
  failed: failedWith('UNSPECIFIED'),
}

function readRefund({ status, amount: amountMinor, currency }: Refund): OwnFields {
  const state = refundStates[status ?? ''] ?? { state: 'processing' }
  return { providerStatus: status ?? 'none', state, amount: { amountMinor, currency } }
}

/** An answer about another payment proves nothing about ours. */
export function acceptedFor(reference: string, view: StripeView): AcceptedOutcome | undefined {
  if (view.reference !== reference || view.isBehindPage) return undefined
  const { providerRef, providerStatus, state, amount, nextAction } = view
  return { kind: 'accepted', providerRef, providerStatus, state, amount, nextAction }
}

export const readAbout =
  (reference: string, at: Date): Reading =>
  (data) => {
    const object = objectSchema.safeParse(data).data
    return object && acceptedFor(reference, readObject(object, at))
  }

export const { outcomeOf, inquiryOf, notPrepared } = createReplyReader({ refusalOf, isNotFound: () => false })
