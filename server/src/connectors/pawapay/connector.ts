import {
  defineConnector,
  type Connector,
  type ConnectorContext,
  type Inquiry,
  type Outcome,
} from '../kit/connector.ts'
import { failureOf } from '../kit/failures.ts'
import { createKeyCache } from '../kit/key-cache.ts'
import { capabilitiesIn } from '../kit/markets.ts'
import { createClient, type PawapayClient } from './client.ts'
import { pawapayCredentials, type PawapayCredentials } from './credentials.ts'
import {
  acceptedOf,
  declinedBy,
  depositRequest,
  initiatedOf,
  missingFields,
  payoutRequest,
  refundRequest,
  type Kind,
} from './mapping.ts'
import { countryCode, networksOf } from './networks.ts'
import { readCallback, verifyCallback } from './webhook.ts'

const findKeyOf = createKeyCache()

export const pawapayConnector = defineConnector({
  name: 'pawapay',
  credentials: pawapayCredentials,
  webhooks: { proves: 'provider', scheme: 'HTTP message signature', binds: 'body', maxAgeMs: 900_000 },
  sandbox: { hosts: ['api.sandbox.pawapay.io'] },
  create: createPawapay,
})

function createPawapay(context: ConnectorContext<PawapayCredentials>): Connector<'provider'> {
  const { credentials, clock } = context
  const client = createClient(context)
  const findKey = (keyId: string) =>
    findKeyOf({ name: credentials.baseUrl, nowMs: clock.now().getTime(), fetch: client.publicKeys }, keyId)
  return {
    name: 'pawapay',
    capabilities: capabilitiesIn(credentials.markets, 'mobile_money', ['payin', 'payout']),
    notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
    missingFields: (_attempt, details) => missingFields(details),
    collect: (attempt, details) => {
      const body = depositRequest(attempt, details, credentials.redirectNetworks)
      return initiate(client, 'deposit', attempt.reference, body)
    },
    payout: (attempt, payee) => initiate(client, 'payout', attempt.reference, payoutRequest(attempt, payee)),
    refund: (attempt, refund) => initiate(client, 'refund', refund.reference, refundRequest(attempt, refund)),
    inquire: ({ direction, reference }) =>
      inquire(client, direction === 'payin' ? 'deposit' : 'payout', reference),
    inquireRefund: (attempt, { reference }) => inquire(client, 'refund', reference, attempt.reference),
    cancel: ({ direction, reference }) => cancel(client, direction === 'payout' ? reference : undefined),
    verifyWebhook: (request) => verifyCallback({ credentials, clock, findKey }, request),
    readWebhook: readCallback,
    listNetworks: async (country) => {
      const reply = await client.activeConfiguration(countryCode(country))
      if (reply.kind === 'read') return networksOf(reply.value, country)
      throw new Error(`pawaPay did not return its networks: ${reply.kind}`)
    },
  }
}

async function initiate(client: PawapayClient, kind: Kind, id: string, body: object): Promise<Outcome> {
  const reply = await client.initiate(kind, id, body)
  if (reply.kind === 'refused') return declinedBy(reply.failureCode)
  if (reply.kind !== 'read') return reply
  switch (reply.value.status) {
    case 'ACCEPTED':
      return initiatedOf(kind, reply.value.nextStep)
    case 'REJECTED':
      return declinedBy(reply.value.failureReason.failureCode)
    case 'DUPLICATE_IGNORED': {
      const inquiry = await inquire(client, kind, id)
      return inquiry.kind === 'accepted' ? inquiry : { kind: 'unknown', reason: 'duplicate, but not found' }
    }
  }
}

async function inquire(client: PawapayClient, kind: Kind, id: string, refundedId?: string): Promise<Inquiry> {
  const reply = await client.lookUp(kind, id)
  if (reply.kind === 'read') {
    if (reply.value.status === 'NOT_FOUND') return { kind: 'not_found' }
    const { depositId = refundedId } = reply.value.data
    if (refundedId !== undefined && depositId !== refundedId)
      return { kind: 'unknown', reason: 'a refund of another deposit' }
    return acceptedOf(kind, reply.value.data)
  }
  return { kind: 'unknown', reason: reply.kind === 'refused' ? reply.failureCode : reply.reason }
}

/** Only a payout in pawaPay's queue can be canceled. */
async function cancel(client: PawapayClient, payoutId: string | undefined): Promise<Outcome> {
  const refused: Outcome = { kind: 'declined', failure: failureOf('NOT_CANCELABLE'), fallback: false }
  if (payoutId === undefined) return refused
  const reply = await client.failEnqueuedPayout(payoutId)
  if (reply.kind === 'refused') return refused
  if (reply.kind !== 'read') return reply
  return reply.value.status === 'REJECTED' ? refused : initiatedOf('payout', undefined)
}
