import {
  defineConnector,
  type Attempt,
  type CollectDetails,
  type Connector,
  type Inquiry,
  type Outcome,
  type Payee,
  type ProviderTransaction,
  type RefundRequest,
  type TransactionPage,
} from '../kit/connector.ts'
import { failureOf } from '../kit/failures.ts'
import { createClient, outcomeOf, reasonOf, type Answer, type StripeClient } from './client.ts'
import { capabilitiesOf, stripeCredentials, type StripeCredentials } from './credentials.ts'
import { findListed, isSessionId, lookUpById, lookUpByReference, pageSize, pathOf } from './look-up.ts'
import { acceptedFor, type Seen } from './mapping.ts'
import { cardForm, customerForm, refundForm, sessionForm, transferForm } from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

interface Deps {
  client: StripeClient
  credentials: StripeCredentials
}

export const stripeConnector = defineConnector({
  name: 'stripe',
  credentials: stripeCredentials,
  webhooks: { scheme: 'HMAC-SHA256', binds: 'body', maxAgeMs: 300_000 },
  sandbox: { hosts: ['api.stripe.com'], keys: { secretKey: ['sk_test_', 'rk_test_'] } },
  create: (context): Connector => {
    const { credentials, clock } = context
    const client = createClient(context)
    const deps = { client, credentials }
    return {
      name: 'stripe',
      capabilities: capabilitiesOf(credentials),
      notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
      takesCards: credentials.cardMode !== 'hosted',
      // Elsewhere nothing is ever missing: without a card there is the hosted page.
      ...(credentials.cardMode === 'direct' && { missingFields }),
      collect: (attempt, details) =>
        attempt.method === 'card'
          ? collectCard(deps, attempt, details)
          : collectTransfer(deps, attempt, details),
      inquire: (attempt) =>
        attempt.providerRef === null
          ? lookUpByReference(client, attempt)
          : lookUpById(client, attempt.providerRef, attempt.reference),
      cancel: (attempt) => cancel(client, attempt),
      refund: (attempt, refund) => sendRefund(client, attempt, refund),
      inquireRefund: (attempt, refund) => inquireRefund(client, attempt, refund),
      verifyWebhook: async (request) => verifyWebhook(credentials.webhookSecrets, request, clock.now()),
      readWebhook,
      listTransactions: (since, cursor) => listTransactions(client, since, cursor),
    }
  },
})

function missingFields({ method }: Attempt, details: CollectDetails | Payee): string[] {
  return method === 'card' && !('card' in details && details.card) ? ['card_details'] : []
}

async function collectCard(
  { client, credentials }: Deps,
  attempt: Attempt,
  details: CollectDetails,
): Promise<Outcome> {
  const { reference } = attempt
  const card = credentials.cardMode === 'hosted' ? undefined : details.card
  const answer = card
    ? await client.post('/v1/payment_intents', cardForm(attempt, details, card), reference)
    : await client.post('/v1/checkout/sessions', sessionForm(attempt, details), reference)
  return sentOutcome(reference, answer)
}

async function collectTransfer(deps: Deps, attempt: Attempt, details: CollectDetails): Promise<Outcome> {
  const { client, credentials } = deps
  const { reference } = attempt
  const customer = await client.post('/v1/customers', customerForm(attempt, details), `${reference}-customer`)
  if (customer.kind !== 'ok') {
    const isLost = customer.kind === 'unknown' || (customer.kind === 'refused' && customer.status >= 500)
    // A customer moves no money: whatever became of it, the payment was never sent.
    return isLost ? { kind: 'not_sent', reason: `customer: ${reasonOf(customer)}` } : outcomeOf(customer)
  }
  const terms = { customer: customer.body.providerRef, eurAccountCountry: credentials.eurAccountCountry }
  const form = transferForm(attempt, details, terms)
  return sentOutcome(reference, await client.post('/v1/payment_intents', form, reference))
}

const sentOutcome = (reference: string, answer: Answer<Seen>): Outcome =>
  answer.kind === 'ok' ? acceptedFor(reference, answer.body) : outcomeOf(answer)

/** Without an idempotency key: a kept failure would be given again, and canceling twice harms nothing. */
async function cancel(client: StripeClient, attempt: Attempt): Promise<Outcome> {
  const id = await providerRefOf(client, attempt)
  if (typeof id !== 'string') return id
  const path = `${pathOf(id)}/${isSessionId(id) ? 'expire' : 'cancel'}`
  const outcome = sentOutcome(attempt.reference, await client.post(path, {}))
  if (outcome.kind !== 'declined') return outcome
  const now = await lookUpById(client, id, attempt.reference)
  if (now.kind !== 'accepted') return { kind: 'unknown', reason: 'refused, and the state is not known' }
  const isCanceled = now.state.state === 'canceled'
  return isCanceled ? now : { kind: 'declined', failure: failureOf('NOT_CANCELABLE'), fallback: false }
}

async function sendRefund(client: StripeClient, attempt: Attempt, refund: RefundRequest): Promise<Outcome> {
  const id = await intentIdOf(client, attempt)
  if (typeof id !== 'string') return id
  const { reference } = refund
  return sentOutcome(reference, await client.post('/v1/refunds', refundForm(id, refund), reference))
}

async function inquireRefund(
  client: StripeClient,
  attempt: Attempt,
  refund: RefundRequest,
): Promise<Inquiry> {
  const { providerRef, reference } = refund
  if (providerRef !== null) return lookUpById(client, providerRef, reference)
  const id = await intentIdOf(client, attempt)
  if (typeof id !== 'string') return { kind: 'unknown', reason: 'the payment was not found' }
  const found = await findListed(client, reference, '/v1/refunds', { payment_intent: id })
  return found === 'too_many' ? { kind: 'unknown', reason: 'too many refunds to list' } : found
}

type NoId = Extract<Outcome, { kind: 'declined' | 'not_sent' }>

async function providerRefOf(client: StripeClient, attempt: Attempt): Promise<string | NoId> {
  if (attempt.providerRef !== null) return attempt.providerRef
  const found = await lookUpByReference(client, attempt)
  return (found.kind === 'accepted' && found.providerRef) || { kind: 'not_sent', reason: 'payment not found' }
}

/** What is refunded. A session has its intent from the first try to pay on. */
async function intentIdOf(client: StripeClient, attempt: Attempt): Promise<string | NoId> {
  const id = await providerRefOf(client, attempt)
  if (typeof id !== 'string' || !isSessionId(id)) return id
  const session = await client.get(pathOf(id))
  if (session.kind !== 'ok') return { kind: 'not_sent', reason: `session: ${reasonOf(session)}` }
  const notPaid: NoId = { kind: 'declined', failure: failureOf('NOT_REFUNDABLE'), fallback: false }
  return session.body.intentId ?? notPaid
}

const firstSessions = 'sessions'

/** All intents, then the sessions that never came to have one. A cursor is the id after which to go on. */
async function listTransactions(
  client: StripeClient,
  since: Date,
  cursor: string | null,
): Promise<TransactionPage> {
  const isSessions = cursor === firstSessions || (cursor !== null && isSessionId(cursor))
  const answer = await client.list(isSessions ? '/v1/checkout/sessions' : '/v1/payment_intents', {
    'created[gte]': Math.floor(since.getTime() / 1_000),
    limit: pageSize,
    starting_after: cursor === null || cursor === firstSessions ? undefined : cursor,
  })
  if (answer.kind !== 'ok') throw new Error(`stripe: no list of transactions: ${reasonOf(answer)}`)
  const { items, hasMore } = answer.body
  const transactions = items.flatMap((item): ProviderTransaction[] => {
    const { reference, providerRef, providerStatus, state, amount, createdAt, intentId } = item
    if (amount === undefined || intentId !== undefined) return []
    return [{ reference, providerRef, direction: 'payin', amount, providerStatus, state, createdAt }]
  })
  const lastId = hasMore ? items.at(-1)?.providerRef : undefined
  return { transactions, nextCursor: lastId ?? (isSessions ? null : firstSessions) }
}
