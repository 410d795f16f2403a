import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { newestFirst, type Books } from './books.ts'
import { failure, unavailable } from './create-intent.ts'
import { majorOf, paymentDetailsOf, type PaymentDetails } from './details.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { findPayment, intentId, isSession, newSuffix, sessionId, suffixOf } from './ids.ts'
import { listPage } from './listing.ts'
import { parseParameters, sessionParameters } from './parameters.ts'
import { presentIntent, presentSession, sessionStatusOf } from './present.ts'

const LIFETIME_SECONDS = 86_400
const MIN_LIFETIME_SECONDS = 1_800

export async function createSession({ kit }: Books, call: Call): Promise<Answer> {
  const parsed = parseParameters(sessionParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const nowSeconds = Math.floor(kit.clock.now().getTime() / 1_000)
  const expiresAtSeconds = input.expires_at ?? nowSeconds + LIFETIME_SECONDS
  if (
    expiresAtSeconds < nowSeconds + MIN_LIFETIME_SECONDS ||
    expiresAtSeconds > nowSeconds + LIFETIME_SECONDS
  ) {
    return invalidRequest(
      'parameter_invalid',
      'expires_at must be 30 minutes to 24 hours away.',
      'expires_at',
    )
  }
  const [first] = input.line_items
  const currency = first?.price_data.currency ?? ''
  const totalMinor = input.line_items.reduce(
    (sum, item) => sum + item.quantity * item.price_data.unit_amount,
    0,
  )
  const amount = majorOf(totalMinor, currency)
  const details: PaymentDetails = {
    metadata: input.payment_intent_data?.metadata ?? {},
    description: input.payment_intent_data?.description,
    receiptEmail: input.payment_intent_data?.receipt_email,
    session: {
      metadata: input.metadata,
      successUrl: input.success_url,
      cancelUrl: input.cancel_url,
      clientReferenceId: input.client_reference_id,
      customerEmail: input.customer_email,
      productName: first?.price_data.product_data.name ?? '',
      expiresAtSeconds,
    },
  }
  const suffix = newSuffix()
  // The same cents decline a card on the page.
  const { decline: _onThePage, ...behaviour } = behaviourFor({ amount })
  return carryOut(kit, call, {
    operation: 'collect',
    reference: idempotencyKeyOf(call) ?? suffix,
    providerRef: sessionId(suffix),
    method: 'card',
    amount,
    currency,
    behaviour,
    details,
    start: { state: 'action_required', plan: [] },
    duplicate: (existing) => json(200, presentSession(kit, existing)),
    decline: () => unavailable('card'),
    failure,
    accepted: (transaction) => json(200, presentSession(kit, transaction)),
  })
}

export async function showSession(books: Books, call: Call): Promise<Answer> {
  const session = await findSession(books.kit, call.account.name, call.params['session'] ?? '')
  return session === undefined ? noSuchSession(call) : json(200, presentExpanded(books.kit, call, session))
}

export function listSessions({ kit }: Books, call: Call): Answer {
  const sessions = [...kit.transactions.values()].filter(
    (transaction) => transaction.operation === 'collect' && isSession(transaction),
  )
  return listPage(call, {
    transactions: newestFirst(sessions, call.account.name),
    present: (transaction) => presentExpanded(kit, call, transaction),
    filters: ['payment_intent', 'status'],
    matches: (transaction, { payment_intent, status }) =>
      (status === undefined || sessionStatusOf(transaction) === status) &&
      (payment_intent === undefined || intentId(suffixOf(transaction.providerRef)) === payment_intent),
  })
}

export async function expireSession(books: Books, call: Call): Promise<Answer> {
  const session = await findSession(books.kit, call.account.name, call.params['session'] ?? '')
  if (session === undefined) return noSuchSession(call)
  if (sessionStatusOf(session) !== 'open') {
    return invalidRequest(
      'parameter_invalid',
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${sessionStatusOf(session)}.`,
      'session',
    )
  }
  const expired = await books.kit.move(session, { state: 'canceled', details: { isAuthenticating: false } })
  return json(200, presentSession(books.kit, expired))
}

/** An unpaid session expires when it is read after its expiry time. */
export async function findSession(kit: Kit, account: string, id: string): Promise<Transaction | undefined> {
  const transaction = findPayment(kit, account, id)
  if (transaction === undefined || !isSession(transaction)) return undefined
  const { session } = paymentDetailsOf(transaction)
  const isOver = (session?.expiresAtSeconds ?? 0) * 1_000 <= kit.clock.now().getTime()
  if (transaction.state !== 'action_required' || !isOver) return transaction
  return kit.move(transaction, { state: 'canceled', details: { isAuthenticating: false } })
}

/** `expand[]=payment_intent`, or `data.payment_intent` in a list. */
function presentExpanded(kit: Kit, call: Call, transaction: Transaction) {
  const session = presentSession(kit, transaction)
  const isExpanded = Object.entries(call.query).some(
    ([name, value]) => name.startsWith('expand[') && value.endsWith('payment_intent'),
  )
  const hasIntent = session.payment_intent !== null
  return isExpanded && hasIntent ? { ...session, payment_intent: presentIntent(kit, transaction) } : session
}

function noSuchSession(call: Call): Answer {
  return noSuch('checkout.session', call.params['session'] ?? '')
}
