import {
  defineConnector,
  type Attempt,
  type CollectDetails,
  type Connector,
  type Inquiry,
  type Outcome,
  type RefundRequest,
  type TransactionPage,
} from '../kit/connector.ts'
import { declined } from '../kit/reasons.ts'
import { customerSchema, objectSchema } from './answers.ts'
import { createClient } from './client.ts'
import { capabilitiesOf, stripeCredentials, type StripeCredentials } from './credentials.ts'
import {
  findListed,
  isSessionId,
  listPage,
  lookUpById,
  lookUpByReference,
  pathOf,
  type Deps,
} from './look-up.ts'
import { outcomeOf, readAbout, see } from './mapping.ts'
import { cardForm, customerForm, refundForm, sessionForm, transferForm } from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

export const stripeConnector = defineConnector({
  name: 'stripe',
  credentials: stripeCredentials,
  webhooks: { scheme: 'HMAC-SHA256', binds: 'body', maxAgeMs: 300_000 },
  sandbox: { hosts: ['api.stripe.com'], keys: { secretKey: ['sk_test_', 'rk_test_'] } },
  create: (context): Connector => {
    const { credentials, clock } = context
    const deps: Deps = { client: createClient(context), clock }
    return {
      name: 'stripe',
      capabilities: capabilitiesOf(credentials),
      notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
      takesCards: credentials.cardMode !== 'hosted',
      // Elsewhere nothing is ever missing: without a card there is the hosted page.
      ...(credentials.cardMode === 'direct' && { missingFields }),
      collect: (attempt, details) =>
        attempt.method === 'card'
          ? collectCard(deps, credentials, attempt, details)
          : collectTransfer(deps, credentials, attempt, details),
      inquire: (attempt) =>
        attempt.providerRef === null
          ? lookUpByReference(deps, attempt)
          : lookUpById(deps, attempt.providerRef, attempt.reference),
      cancel: (attempt) => cancel(deps, attempt),
      refund: (attempt, refund) => sendRefund(deps, attempt, refund),
      inquireRefund: (attempt, refund) => inquireRefund(deps, attempt, refund),
      verifyWebhook: async (request) => verifyWebhook(credentials.webhookSecrets, request, clock.now()),
      readWebhook,
      listTransactions: (since, cursor) => listTransactions(deps, since, cursor),
    }
  },
})

const missingFields: Connector['missingFields'] = ({ method }, details) =>
  method === 'card' && !('card' in details && details.card) ? ['card_details'] : []

async function collectCard(
  deps: Deps,
  { cardMode }: StripeCredentials,
  attempt: Attempt,
  details: CollectDetails,
): Promise<Outcome> {
  const card = cardMode === 'hosted' ? undefined : details.card
  const path = card ? '/v1/payment_intents' : '/v1/checkout/sessions'
  const form = card ? cardForm(attempt, details, card) : sessionForm(attempt, details)
  const reply = await deps.client(path, { form, key: attempt.reference })
  return outcomeOf(reply, readAbout(attempt.reference, deps.clock.now()))
}

async function collectTransfer(
  { client, clock }: Deps,
  { eurAccountCountry }: StripeCredentials,
  attempt: Attempt,
  details: CollectDetails,
): Promise<Outcome> {
  const { reference } = attempt
  const made = { form: customerForm(attempt, details), key: `${reference}-customer` }
  const reply = await client('/v1/customers', made)
  const customer = reply.kind === 'handled' ? customerSchema.safeParse(reply.data).data?.id : undefined
  if (customer === undefined) {
    const refusal = outcomeOf(reply, () => undefined)
    // A customer moves no money: whatever became of it, the payment was never sent.
    return refusal.kind === 'declined' ? refusal : { kind: 'not_sent', reason: 'there is no customer' }
  }
  const form = transferForm(attempt, details, { customer, eurAccountCountry })
  const sent = await client('/v1/payment_intents', { form, key: reference })
  return outcomeOf(sent, readAbout(reference, clock.now()))
}

/** Without an idempotency key: a kept failure would be given again, and canceling twice harms nothing. */
async function cancel(deps: Deps, attempt: Attempt): Promise<Outcome> {
  const id = await providerRefOf(deps, attempt)
  if (typeof id !== 'string') return id
  const path = `${pathOf(id)}/${isSessionId(id) ? 'expire' : 'cancel'}`
  const outcome = outcomeOf(
    await deps.client(path, { form: {} }),
    readAbout(attempt.reference, deps.clock.now()),
  )
  if (outcome.kind !== 'declined') return outcome
  const now = await lookUpById(deps, id, attempt.reference)
  if (now.kind !== 'accepted') return { kind: 'unknown', reason: 'refused, and the state is not known' }
  return now.state.state === 'canceled' ? now : declined('NOT_CANCELABLE', 'final')
}

async function sendRefund(deps: Deps, attempt: Attempt, refund: RefundRequest): Promise<Outcome> {
  const id = await intentIdOf(deps, attempt)
  if (typeof id !== 'string') return id
  const { reference } = refund
  const reply = await deps.client('/v1/refunds', { form: refundForm(id, refund), key: reference })
  return outcomeOf(reply, readAbout(reference, deps.clock.now()))
}

async function inquireRefund(deps: Deps, attempt: Attempt, refund: RefundRequest): Promise<Inquiry> {
  const { providerRef, reference } = refund
  if (providerRef !== null) return lookUpById(deps, providerRef, reference)
  const id = await intentIdOf(deps, attempt)
  if (typeof id !== 'string') return { kind: 'unknown', reason: 'the payment was not found' }
  return findListed(deps, reference, '/v1/refunds', { payment_intent: id })
}

async function providerRefOf(deps: Deps, attempt: Attempt): Promise<string | Outcome> {
  if (attempt.providerRef !== null) return attempt.providerRef
  const found = await lookUpByReference(deps, attempt)
  return (found.kind === 'accepted' && found.providerRef) || { kind: 'not_sent', reason: 'payment not found' }
}

/** What is refunded. A session has its intent from the first try to pay on. */
async function intentIdOf(deps: Deps, attempt: Attempt): Promise<string | Outcome> {
  const id = await providerRefOf(deps, attempt)
  if (typeof id !== 'string' || !isSessionId(id)) return id
  const reply = await deps.client(pathOf(id))
  const session = reply.kind === 'handled' ? objectSchema.safeParse(reply.data).data : undefined
  if (!session) return { kind: 'not_sent', reason: 'the checkout session could not be seen' }
  return see(session, deps.clock.now()).intentId ?? declined('NOT_REFUNDABLE', 'final')
}

const firstSessions = 'sessions'

/** All intents, then the sessions that never came to have one. A cursor is the id after which to go on. */
async function listTransactions(deps: Deps, since: Date, cursor: string | null): Promise<TransactionPage> {
  const isSessions = cursor === firstSessions || (cursor !== null && isSessionId(cursor))
  const page = await listPage(deps, isSessions ? '/v1/checkout/sessions' : '/v1/payment_intents', {
    'created[gte]': Math.floor(since.getTime() / 1_000),
    starting_after: cursor === null || cursor === firstSessions ? undefined : cursor,
  })
  if (!('items' in page))
    throw new Error(`Stripe gave no list of transactions: ${'reason' in page ? page.reason : page.kind}`)
  const transactions = page.items.flatMap(({ amount, intentId, ...seen }) => {
    const { reference, providerRef, providerStatus, state, createdAt } = seen
    const row = { reference, providerRef, direction: 'payin', providerStatus, state, createdAt } as const
    return amount === undefined || intentId !== undefined ? [] : [{ ...row, amount }]
  })
  const lastId = page.hasMore ? page.items.at(-1)?.providerRef : undefined
  return { transactions, nextCursor: lastId ?? (isSessions ? null : firstSessions) }
}
