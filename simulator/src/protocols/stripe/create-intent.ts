import { json, type Answer } from '../../core/answer.ts'
import { runInBackground } from '../../core/background.ts'
import type { Call } from '../../core/call.ts'
import { carryOut, planFor, type MoneyRequest } from '../../core/carry-out.ts'
import type { Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, type Behaviour, type DeclineReason, type FailureReason } from '../../sentinels.ts'
import { storeKey, type Books } from './books.ts'
import { judgeCard, reasonOf, type CardVerdict } from './cards.ts'
import { majorOf, type PaymentDetails } from './details.ts'
import {
  cardCodeOf,
  errorAnswer,
  invalidRequest,
  noSuch,
  paymentErrorOf,
  paymentMessageOf,
} from './errors.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { intentId, newSuffix } from './ids.ts'
import { intentParameters, parseParameters, type IntentParameters } from './parameters.ts'
import { presentIntent } from './present.ts'

export async function createIntent(books: Books, call: Call): Promise<Answer> {
  const parsed = parseParameters(intentParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const { customer } = input
  if (customer !== undefined && books.customers.get(storeKey(call.account.name, customer)) === undefined) {
    return noSuch('customer', customer, 'customer')
  }
  return input.payment_method_data.type === 'card'
    ? payByCard(books, call, { input, card: input.payment_method_data.card })
    : payByBankTransfer(books, call, input)
}

type Card = Extract<IntentParameters['payment_method_data'], { type: 'card' }>['card']

async function payByCard(
  books: Books,
  call: Call,
  { input, card }: { input: IntentParameters; card: Card },
): Promise<Answer> {
  if (call.account.options['raw_card_data'] === false) {
    const message = 'Sending credit card numbers directly to the Stripe API is generally unsafe.'
    return errorAnswer(402, { type: 'invalid_request_error', message })
  }
  const { kit } = books
  const verdict = judgeCard(card, kit.clock.now())
  const details: PaymentDetails = {
    ...commonDetails(input),
    card: verdict.shown,
    authentication: verdict.authentication,
    isAuthenticating: verdict.authentication !== 'none',
  }
  const request = requestFor(books, call, { input, details, method: 'card' })
  const behaviour = behaviourOfCard(verdict, request.amount)
  return carryOut(kit, call, {
    ...request,
    behaviour,
    start: startOfCard(kit, verdict, behaviour),
    decline: (reason) =>
      decline(books, call, {
        request,
        code: call.fault === undefined ? (verdict.declineCode ?? cardCodeOf(reason)) : cardCodeOf(reason),
      }),
  })
}

/** A documented card that is declined takes precedence over the cents. */
function behaviourOfCard({ declineCode }: CardVerdict, amount: string): Behaviour {
  if (declineCode === undefined) return behaviourFor({ amount })
  return { outcome: 'succeeds', webhooks: 'once', decline: reasonOf(declineCode) }
}

/** A card is charged during the call; the next step only sends the webhook. */
function startOfCard(
  kit: Kit,
  verdict: CardVerdict,
  behaviour: Behaviour,
): Pick<Transaction, 'state' | 'plan'> {
  const { delayMs } = kit
  if (verdict.authentication !== 'none') {
    return { state: 'action_required', plan: [{ afterMs: delayMs, state: 'action_required' }] }
  }
  const plan = planAfterConfirmation(kit, behaviour)
  return { state: plan[0]?.state === 'completed' ? 'completed' : 'pending', plan }
}

export function planAfterConfirmation(kit: Kit, { outcome }: Behaviour): Step[] {
  return planFor({ delayMs: kit.delayMs, outcome, failure })
}

async function payByBankTransfer(books: Books, call: Call, input: IntentParameters): Promise<Answer> {
  const transfer = input.payment_method_options?.customer_balance.bank_transfer
  const param = 'payment_method_options[customer_balance][bank_transfer]'
  if (transfer === undefined)
    return invalidRequest('parameter_missing', `Missing required param: ${param}.`, param)
  if (input.customer === undefined) {
    return invalidRequest('parameter_missing', 'A customer is required for customer_balance.', 'customer')
  }
  const isBritish = transfer.type === 'gb_bank_transfer'
  if (input.currency !== (isBritish ? 'GBP' : 'EUR')) {
    return invalidRequest('parameter_invalid', `${transfer.type} does not support this currency.`, 'currency')
  }
  const country = transfer.type === 'gb_bank_transfer' ? 'GB' : transfer.eu_bank_transfer.country
  const details: PaymentDetails = {
    ...commonDetails(input),
    bankTransfer: { type: transfer.type, country },
    receivedMinor: 0,
  }
  const request = requestFor(books, call, { input, details, method: 'bank_transfer' })
  const behaviour = behaviourFor({ amount: request.amount })
  const arrives = call.account.options['bank_transfers_arrive'] !== false
  const outcome = declineOf(call, behaviour) === undefined ? behaviour.outcome : 'fails'
  const plan = arrives ? planFor({ delayMs: books.kit.delayMs, outcome, failure: transferFailure }) : []
  return carryOut(books.kit, call, {
    ...request,
    behaviour,
    start: { state: 'action_required', plan },
    // Other declines of a transfer appear later, when no money arrives.
    decline: (reason) => (reason === 'temporarily_unavailable' ? unavailable('customer_balance') : undefined),
    failure: transferFailure,
  })
}

/** A configured fault takes precedence over the sentinel. */
export function declineOf(call: Call, behaviour: Behaviour): DeclineReason | undefined {
  return call.fault?.fault === 'decline' ? call.fault.reason : behaviour.decline
}

/** Without a card, only a disabled payment method can be refused. */
export function unavailable(method: string): Answer {
  const message = `The payment method type "${method}" is not available at the moment.`
  return invalidRequest('payment_method_unactivated', message, 'payment_method_types')
}

interface RequestInput {
  readonly input: IntentParameters
  readonly details: PaymentDetails
  readonly method: string
}

type IntentRequest = Omit<MoneyRequest, 'behaviour' | 'start' | 'decline'> & { providerRef: string }

function requestFor({ kit }: Books, call: Call, { input, details, method }: RequestInput): IntentRequest {
  const suffix = newSuffix()
  return {
    operation: 'collect',
    reference: idempotencyKeyOf(call) ?? suffix,
    providerRef: intentId(suffix),
    method,
    amount: majorOf(input.amount, input.currency),
    currency: input.currency,
    details,
    duplicate: (existing) => json(200, presentIntent(kit, existing)),
    failure,
    accepted: (transaction) => json(200, presentIntent(kit, transaction)),
  }
}

function commonDetails(input: IntentParameters): PaymentDetails {
  return {
    metadata: input.metadata,
    description: input.description,
    receiptEmail: input.receipt_email,
    customer: input.customer,
    returnUrl: input.return_url,
  }
}

/** The intent remains without a payment method, and its failure is reported by webhook. */
function decline(
  { kit, declined }: Books,
  call: Call,
  { request, code }: { request: IntentRequest; code: string },
): Answer {
  const at = kit.clock.now().toISOString()
  const transaction: Transaction = {
    provider: kit.provider,
    account: call.account.name,
    operation: 'collect',
    reference: request.reference,
    providerRef: request.providerRef,
    method: request.method,
    amount: request.amount,
    currency: request.currency,
    state: 'failed',
    failure: { code, message: paymentMessageOf(code) },
    webhooks: 'once',
    plan: [],
    details: request.details,
    createdAt: at,
    updatedAt: at,
  }
  declined.put(storeKey(transaction.account, transaction.providerRef), transaction)
  runInBackground(() => kit.resendWebhooks(transaction))
  return errorAnswer(402, { ...paymentErrorOf(code), payment_intent: presentIntent(kit, transaction) })
}

export function failure(reason: FailureReason) {
  const code = cardCodeOf(reason)
  return { code, message: paymentMessageOf(code) }
}

function transferFailure() {
  const code = 'payment_intent_payment_attempt_failed'
  return { code, message: paymentMessageOf(code) }
}
