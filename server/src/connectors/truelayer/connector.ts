import {
  defineConnector,
  type Attempt,
  type CollectDetails,
  type Connector,
  type Inquiry,
  type Outcome,
  type Payee,
  type RefundRequest,
} from '../kit/connector.ts'
import { missingEuropean } from '../kit/missing-details.ts'
import { declined } from '../kit/reasons.ts'
import { readData } from '../kit/replies.ts'
import { refundsSchema } from './answers.ts'
import { createClient, type TruelayerClient } from './client.ts'
import { accountOf, capabilitiesOf, truelayerCredentials } from './credentials.ts'
import { listRefunds, listTransactions, paymentPath, type Listing } from './lists.ts'
import { inquiryOf, outcomeOf, readCreated, readCreatedPayment, readMovement } from './mapping.ts'
import { paymentRequest, payoutRequest, refundRequest } from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

const idUnknown = { kind: 'unknown', reason: 'TrueLayer’s id is unknown until its webhook arrives' } as const

export const truelayerConnector = defineConnector({
  name: 'truelayer',
  credentials: truelayerCredentials,
  namedAccount: ({ clientId }) => clientId,
  webhooks: { proves: 'provider', scheme: 'JWS ES512', binds: 'body', maxAgeMs: 900_000 },
  sandbox: { hosts: ['api.truelayer-sandbox.com', 'auth.truelayer-sandbox.com'] },
  create: (context): Connector<'provider'> => {
    const { credentials } = context
    const client = createClient(context)
    const listingOf = (): Listing => ({ client, credentials, until: context.clock.now() })
    return {
      name: 'truelayer',
      capabilities: capabilitiesOf(credentials),
      missingFields,
      collect: async (attempt, details) => {
        const account = accountOf(credentials, attempt.amount.currency)
        if (account === undefined) return declined('CURRENCY_NOT_SUPPORTED')
        const body = paymentRequest(attempt, details, account)
        return outcomeOf(await client('/v3/payments', { key: attempt.reference, body }), readCreatedPayment)
      },
      payout: async (attempt, payee) => {
        const account = accountOf(credentials, attempt.amount.currency)
        if (account === undefined) return declined('CURRENCY_NOT_SUPPORTED')
        const body = payoutRequest(credentials, attempt, payee, account)
        return outcomeOf(await client('/v3/payouts', { key: attempt.reference, body }), readCreated)
      },
      inquire: (attempt) => inquire(client, attempt),
      cancel: (attempt) => cancel(client, attempt),
      refund: async ({ providerRef }, refund) => {
        if (providerRef === null) return declined('NOT_REFUNDABLE', 'final')
        const request = { key: refund.reference, body: refundRequest(refund) }
        return outcomeOf(await client(`${paymentPath(providerRef)}/refunds`, request), readCreated)
      },
      inquireRefund: (attempt, refund) => inquireRefund(client, attempt, refund),
      listRefunds: (scope) => listRefunds(listingOf(), scope),
      verifyWebhook: (request) => verifyWebhook(context, request),
      readWebhook,
      listTransactions: (since, cursor) => listTransactions(listingOf(), since, cursor),
    }
  },
})

function missingFields({ country }: Attempt, details: CollectDetails | Payee): string[] {
  if (!('payer' in details)) return missingEuropean(country, details.bankAccount)
  const { name, email, phone } = details.payer
  const needed = { 'payer_details.name': name, 'payer_details.email': email ?? phone }
  return Object.entries(needed).flatMap(([field, value]) => (value ? [] : [field]))
}

/** Only TrueLayer's id finds a payment. Repeating the request would send a payment that never arrived. */
async function inquire(client: TruelayerClient, attempt: Attempt): Promise<Inquiry> {
  const { providerRef, direction } = attempt
  if (providerRef === null) return idUnknown
  const path =
    direction === 'payin' ? paymentPath(providerRef) : `/v3/payouts/${encodeURIComponent(providerRef)}`
  return inquiryOf(await client(path), readMovement(direction, attempt))
}

/** A payment can be canceled until the customer authorizes it. */
async function cancel(client: TruelayerClient, attempt: Attempt): Promise<Outcome> {
  const { providerRef, reference, direction } = attempt
  if (providerRef === null || direction === 'payout') return declined('NOT_CANCELABLE', 'final')
  const reply = await client(`${paymentPath(providerRef)}/actions/cancel`, { key: `${reference}-cancel` })
  if (reply.kind === 'refused' && reply.status === 400) return declined('NOT_CANCELABLE', 'final')
  if (reply.kind !== 'handled') return outcomeOf(reply, () => undefined)
  const inquiry = await inquire(client, attempt)
  return inquiry.kind === 'accepted' ? inquiry : { kind: 'unknown', reason: 'the payment could not be read' }
}

/** "Not found" requires a readable list in which every refund has our metadata. */
async function inquireRefund(
  client: TruelayerClient,
  { providerRef }: Attempt,
  refund: RefundRequest,
): Promise<Inquiry> {
  if (providerRef === null) return idUnknown
  const path = `${paymentPath(providerRef)}/refunds`
  const read = readMovement('refund', refund)
  if (refund.providerRef !== null)
    return inquiryOf(await client(`${path}/${encodeURIComponent(refund.providerRef)}`), read)
  const reply = await client(path)
  const { items } = readData(reply, refundsSchema) ?? {}
  const data = items?.find(({ metadata }) => metadata?.reference === refund.reference)
  if (items?.every(({ metadata }) => metadata?.reference) && !data) return { kind: 'not_found' }
  return data ? inquiryOf({ kind: 'handled', data, meta: null }, read) : inquiryOf(reply, () => undefined)
}
