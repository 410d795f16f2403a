import {
  defineConnector,
  type Attempt,
  type Connector,
  type ConnectorContext,
  type Outcome,
  type RampDetails,
} from '../kit/connector.ts'
import { toRate } from '../../lib/money/decimal.ts'
import { formatMinor } from '../../lib/money/money.ts'
import { channelsSchema, networksSchema, rampSchema, ratesSchema } from './answers.ts'
import { createClient, type Reply, type YellowcardClient } from './client.ts'
import { yellowcardCredentials, type YellowcardCredentials } from './credentials.ts'
import {
  capabilitiesOf,
  channelTypeOf,
  declined,
  inquiryOf,
  outcomeOf,
  rampRequest,
  refusalOf,
} from './mapping.ts'
import { readEvent, verifySignature } from './webhook.ts'

export const yellowcardConnector = defineConnector({
  name: 'yellowcard',
  credentials: yellowcardCredentials,
  webhooks: { proves: 'account', scheme: 'HMAC-SHA256', binds: 'body' },
  sandbox: { hosts: ['sandbox.api.yellowcard.io'] },
  create: createYellowcard,
})

function createYellowcard({
  credentials,
  http,
  clock,
}: ConnectorContext<YellowcardCredentials>): Connector<'account'> {
  const client = createClient(credentials, http, clock)
  const ramp = (attempt: Attempt, details: RampDetails) =>
    startRamp({ client, credentials }, attempt, details)
  return {
    name: 'yellowcard',
    capabilities: capabilitiesOf(credentials),
    notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
    onRamp: ramp,
    offRamp: ramp,
    async inquire(attempt) {
      const path = `${pathOf(credentials, attempt)}/sequence-id/${attempt.reference}`
      return inquiryOf(attempt, await client.get(path, rampSchema), credentials)
    },
    verifyWebhook: async (request) => verifySignature(credentials.secretKey, request),
    readWebhook: readEvent,
  }
}

interface Parts {
  client: YellowcardClient
  credentials: YellowcardCredentials
}

const pathOf = ({ paths }: YellowcardCredentials, { direction }: Attempt): string =>
  direction === 'on_ramp' ? paths.receive : paths.send

/** Finds the channel, compares Yellow Card's rate with ours, and sends the request. */
async function startRamp(parts: Parts, attempt: Attempt, details: RampDetails): Promise<Outcome> {
  const { client, credentials } = parts
  const cryptoNetwork = credentials.networks[details.crypto.currency]?.[details.network]
  if (cryptoNetwork === undefined) return declined('NETWORK_NOT_SUPPORTED', true)
  const found = await findPlace(parts, attempt, details)
  if ('kind' in found) return found
  const drifted = await rateRefusal(parts, attempt, details)
  if (drifted) return drifted
  const body = rampRequest(attempt, details, { ...found, cryptoNetwork }, credentials.knownCustomer)
  const reply = await client.post(pathOf(credentials, attempt), rampSchema, JSON.stringify(body))
  return outcomeOf(attempt, reply, details.network)
}

/** Errors before the request mean that nothing moved. */
function beforeAsking<Value>(reply: Exclude<Reply<Value>, { kind: 'read' }>): Outcome {
  if (reply.kind !== 'refused') return { kind: 'not_sent', reason: reply.reason }
  const refusal = refusalOf(reply)
  return refusal.kind === 'declined' ? refusal : { kind: 'not_sent', reason: reply.code }
}

async function findPlace(
  { client }: Parts,
  attempt: Attempt,
  { person }: RampDetails,
): Promise<{ channelId: string; networkId: string } | Outcome> {
  const query = { country: attempt.country }
  const channels = await client.get('/business/channels', channelsSchema, query)
  if (channels.kind !== 'read') return beforeAsking(channels)
  const channel = channels.value.channels.find(
    ({ channelType, rampType, currency, status }) =>
      channelType === channelTypeOf(attempt) &&
      rampType === (attempt.direction === 'on_ramp' ? 'deposit' : 'withdraw') &&
      currency === attempt.amount.currency &&
      status === 'active',
  )
  if (!channel) return declined('PROVIDER_UNAVAILABLE', true)
  const networks = await client.get('/business/networks', networksSchema, query)
  if (networks.kind !== 'read') return beforeAsking(networks)
  const own = networks.value.networks.filter(({ channelIds }) => channelIds.includes(channel.id))
  const wanted = [
    person.mobileMoney?.network,
    person.bankAccount?.bankCode,
    person.bankAccount?.bankName,
  ].flatMap((name) => (name === undefined ? [] : [name.toUpperCase()]))
  const network = own.find(({ code, name }) =>
    wanted.some((word) => code?.toUpperCase() === word || name.toUpperCase().includes(word)),
  )
  // A payer by bank needs no account; a payee does.
  const chosen = network ?? (attempt.direction === 'on_ramp' && wanted.length === 0 ? own[0] : undefined)
  return chosen ? { channelId: channel.id, networkId: chosen.id } : declined('NETWORK_NOT_SUPPORTED', true)
}

/** Yellow Card settles at its rate, so a rate too far from the customer's is refused before the request. */
async function rateRefusal(
  { client, credentials }: Parts,
  attempt: Attempt,
  { crypto }: RampDetails,
): Promise<Outcome | undefined> {
  const { currency, amountMinor } = attempt.amount
  const reply = await client.get('/business/rates', ratesSchema, { currency })
  if (reply.kind !== 'read') return beforeAsking(reply)
  const rate = reply.value.rates.find(({ code }) => code === currency)
  if (!rate) return declined('CURRENCY_NOT_SUPPORTED', true)
  const perDollar = attempt.direction === 'on_ramp' ? rate.buy : rate.sell
  const theirs = toRate(formatMinor(amountMinor, currency)).div(perDollar)
  const ours = toRate(formatMinor(crypto.amountMinor, crypto.currency))
  const limit = ours.mul(credentials.rateToleranceBps).div(10_000)
  return theirs.sub(ours).abs().gt(limit) ? declined('AMOUNT_NOT_ALLOWED', true) : undefined
}
