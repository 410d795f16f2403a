import { defineConnector, type Attempt, type Connector, type Method, type Outcome } from '../kit/connector.ts'
import type { Form } from '../kit/form-body.ts'
import { declined } from '../kit/reasons.ts'
import { readData } from '../kit/replies.ts'
import { accountSchema, customerSchema, objectSchema } from './answers.ts'
import { createClient, type Deps } from './client.ts'
import { capabilitiesOf, stripeCredentials } from './credentials.ts'
import { readDisputes, stripeDisputes } from './disputes.ts'
import * as lookUp from './lookup.ts'
import { createPageBudget } from './page-budget.ts'
import { notPrepared, outcomeOf, readAbout, readObject } from './mapping.ts'
import { cardForm, customerForm, refundForm, sessionForm, transferForm } from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/** A tenth of what Stripe answers. A proof of absence reads two lists. */
const listedPerSecond = 10

export const stripeConnector = defineConnector({
  name: 'stripe',
  credentials: stripeCredentials,
  webhooks: { proves: 'account', scheme: 'HMAC-SHA256', binds: 'body', maxAgeMs: 300_000 },
  sandbox: { hosts: ['api.stripe.com', 'files.stripe.com'], keys: { secretKey: ['sk_test_', 'rk_test_'] } },
  create: (context): Connector<'account'> => {
    const { credentials, clock } = context
    const budget = createPageBudget(clock, { perSecond: listedPerSecond, burst: 2 * credentials.lookUpPages })
    const deps: Deps = { ...context, client: createClient(context), budget }
    return {
      name: 'stripe',
      capabilities: capabilitiesOf(credentials),
      notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
      takesCards: credentials.cardMode !== 'hosted',
      hasCardPage: credentials.cardMode !== 'direct',
      ...(credentials.cardMode === 'direct' && { missingFields }),
      collect: collect(deps),
      inquire: (attempt) =>
        attempt.providerRef === null
          ? lookUp.byReference(deps, attempt)
          : lookUp.byId(deps, attempt.providerRef, attempt.reference),
      cancel: cancel(deps),
      refund: async (attempt, refund) => {
        const id = await intentIdOf(deps, attempt)
        if (typeof id !== 'string') return id
        return send(deps, refund.reference, lookUp.refunds, refundForm(id, refund))
      },
      inquireRefund: async (attempt, { providerRef, reference }) => {
        if (providerRef !== null) return lookUp.byId(deps, providerRef, reference)
        const id = await intentIdOf(deps, attempt)
        if (typeof id !== 'string') return { kind: 'unknown', reason: 'the payment was not found' }
        return lookUp.findListed(deps, reference, lookUp.refunds, { payment_intent: id })
      },
      listRefunds: async (scope) => {
        if ('since' in scope)
          return lookUp.listRefunds(deps, { 'created[gte]': Math.floor(scope.since.getTime() / 1_000) })
        const id = await intentIdOf(deps, scope.attempt)
        return typeof id === 'string' ? lookUp.listRefunds(deps, { payment_intent: id }) : undefined
      },
      verifyWebhook: async (request) => verifyWebhook(credentials.webhookSecrets, request, clock.now()),
      readWebhook,
      listTransactions: lookUp.listTransactions(deps),
      identify: async () => readData(await deps.client('/v1/account'), accountSchema)?.id,
      readDisputes,
      ...stripeDisputes(deps),
    }
  },
})

const missingFields: Connector['missingFields'] = ({ method }, details) =>
  method === 'card' && !('card' in details && details.card) ? ['card_details'] : []

/** The reference is also the idempotency key. */
async function send(deps: Deps, reference: string, path: string, form: Form): Promise<Outcome> {
  const reply = await deps.client(path, form, reference)
  return outcomeOf(reply, readAbout(reference, deps.clock.now()))
}

const collect =
  (deps: Deps): Method<'collect'> =>
  async (attempt, details) => {
    const { reference, method } = attempt
    const { cardMode, eurAccountCountry } = deps.credentials
    if (method === 'card' && details.card && cardMode !== 'hosted')
      return send(deps, reference, lookUp.intents, cardForm(attempt, details, details.card))
    if (method === 'card') return send(deps, reference, lookUp.sessions, sessionForm(attempt, details))
    const key = `${reference}-customer`
    const reply = await deps.client('/v1/customers', customerForm(attempt, details), key)
    const customer = readData(reply, customerSchema)?.id
    if (customer === undefined) return notPrepared(reply, 'there is no customer')
    const form = { ...transferForm(attempt, details, eurAccountCountry), customer }
    return send(deps, reference, lookUp.intents, form)
  }

/** There is no idempotency key: Stripe would replay a stored failure, and canceling twice is harmless. */
const cancel =
  (deps: Deps): Method<'cancel'> =>
  async (attempt) => {
    const { reference } = attempt
    const id = await providerRefOf(deps, attempt)
    if (typeof id !== 'string') return id
    const path = `${lookUp.pathOf(id)}/${lookUp.isSessionId(id) ? 'expire' : 'cancel'}`
    const reply = await deps.client(path, {})
    const outcome = outcomeOf(reply, readAbout(reference, deps.clock.now()))
    if (outcome.kind !== 'declined') return outcome
    const now = await lookUp.byId(deps, id, reference)
    if (now.kind !== 'accepted') return { kind: 'unknown', reason: 'refused, and the state is unknown' }
    return now.state.state === 'canceled' ? now : declined('NOT_CANCELABLE', 'final')
  }

async function providerRefOf(deps: Deps, attempt: Attempt): Promise<string | Outcome> {
  if (attempt.providerRef !== null) return attempt.providerRef
  const found = await lookUp.byReference(deps, attempt)
  return (found.kind === 'accepted' && found.providerRef) || { kind: 'not_sent', reason: 'payment not found' }
}

/** The intent to refund. A session has one after the customer's first attempt to pay. */
async function intentIdOf(deps: Deps, attempt: Attempt): Promise<string | Outcome> {
  const id = await providerRefOf(deps, attempt)
  if (typeof id !== 'string' || !lookUp.isSessionId(id)) return id
  const session = readData(await deps.client(lookUp.pathOf(id)), objectSchema)
  if (!session) return { kind: 'not_sent', reason: 'the checkout session could not be read' }
  return readObject(session, deps.clock.now()).intentId ?? declined('NOT_REFUNDABLE', 'final')
}
