import { z } from 'zod'
import {
  defineConnector,
  type Attempt,
  type CollectDetails,
  type Connector,
  type Inquiry,
  type Method,
  type Outcome,
} from '../kit/connector.ts'
import { missingDetails } from '../kit/missing-details.ts'
import { readData, type Reading } from '../kit/replies.ts'
import { linkSchema, movementSchema } from './answers.ts'
import { createClient, type FlutterwaveClient } from './client.ts'
import {
  capabilitiesOf,
  flutterwaveCredentials,
  networksOf,
  type FlutterwaveCredentials,
} from './credentials.ts'
import { flutterwaveChargebacks, readChargebacks } from './chargebacks.ts'
import { listAll, listBanks, listTransactions, resolveAccount, verifyCharge } from './lists.ts'
import { authorizationOf, collectOutcome, inquiryOf, outcomeOf, readMovement } from './mapping.ts'
import { flutterwaveRefunds, listRefunds } from './refund.ts'
import { cardRequest, chargeRequest, hostedRequest, transferRequest } from './requests.ts'
import { readEvent, verifyHash } from './webhook.ts'

export const flutterwaveConnector = defineConnector({
  name: 'flutterwave',
  credentials: flutterwaveCredentials,
  webhooks: { proves: 'nothing', scheme: 'secret in a header', binds: 'nothing' },
  sandbox: { hosts: ['api.flutterwave.com'], keys: { secretKey: ['FLWSECK_TEST'] } },
  create: ({ credentials, http }): Connector<'nothing'> => {
    const client = createClient(credentials, http)
    return {
      name: 'flutterwave',
      capabilities: capabilitiesOf(credentials),
      notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
      hasCardPage: true,
      missingFields: (attempt, details) => missingDetails(attempt, details, credentials.branchCountries),
      collect: collect(client, credentials),
      payout: async (attempt, payee) => {
        const body = transferRequest(credentials, attempt, payee)
        return outcomeOf(await client('/transfers', body), readMovement(attempt))
      },
      inquire: (attempt) =>
        attempt.direction === 'payin' ? inquireCharge(client, attempt) : inquireTransfer(client, attempt),
      act: act(client, credentials),
      ...flutterwaveRefunds(client),
      listRefunds: (scope) => listRefunds(client, scope),
      verifyWebhook: async (request) => verifyHash(credentials.secretHash, request),
      readWebhook: readEvent,
      listNetworks: async (country) => networksOf(credentials.mobileMoney, country),
      listBanks: (country) => listBanks(client, country),
      resolveAccount: (account) => resolveAccount(client, account),
      listTransactions: listTransactions(client),
      readDisputes: readChargebacks,
      ...flutterwaveChargebacks(client),
    }
  },
})

const collect =
  (client: FlutterwaveClient, credentials: FlutterwaveCredentials): Method<'collect'> =>
  async (attempt, details) => {
    const { method, country } = attempt
    if (method === 'card') return collectCard(client, credentials, attempt, details)
    const type = method === 'bank_transfer' ? method : credentials.mobileMoney[country]?.chargeType
    return collectOutcome(attempt, await client(`/charges?type=${type}`, chargeRequest(attempt, details)))
  }

/** A card that needs a PIN or an address was not charged, so it continues on a hosted page with the same reference. */
async function collectCard(
  client: FlutterwaveClient,
  { cardKeys }: FlutterwaveCredentials,
  attempt: Attempt,
  details: CollectDetails,
): Promise<Outcome> {
  if (cardKeys && details.card) {
    const reply = await client('/charges?type=card', cardRequest(cardKeys, attempt, details))
    const { mode = '' } = (reply.kind === 'handled' && !reply.data && authorizationOf(reply.meta)) || {}
    if (!['pin', 'avs_noauth'].includes(mode)) return collectOutcome(attempt, reply)
  }
  return outcomeOf(await client('/payments', hostedRequest(attempt, details)), readLink)
}

const readLink: Reading = (data) => {
  const url = linkSchema.safeParse(data).data?.link
  if (url === undefined) return undefined
  const open = { providerStatus: 'link', state: { state: 'pending' } } as const
  const providerRef = url.split('/').at(-1) ?? null
  return { kind: 'accepted', providerRef, ...open, nextAction: { type: 'redirect', url } }
}

/** A hosted page has no transaction until the customer tries to pay, so an accepted payment stays open. */
async function inquireCharge(client: FlutterwaveClient, attempt: Attempt): Promise<Inquiry> {
  const inquiry = inquiryOf(await verifyCharge(client, attempt), readMovement(attempt))
  const { providerRef } = attempt
  if (inquiry.kind !== 'not_found' || providerRef === null) return inquiry
  return { kind: 'accepted', providerRef, providerStatus: 'not_found', state: { state: 'pending' } }
}

/** The list may ignore the filter, so each transfer's reference is compared. */
async function inquireTransfer(client: FlutterwaveClient, attempt: Attempt): Promise<Inquiry> {
  const { providerRef, reference } = attempt
  const read = readMovement(attempt)
  if (providerRef !== null)
    return inquiryOf(await client(`/transfers/${encodeURIComponent(providerRef)}`), read)
  const rows = await listAll(client, `/transfers?reference=${reference}`, z.looseObject({}))
  if (!rows) return { kind: 'unknown', reason: 'the transfers could not be listed' }
  const data = rows.find((row) => row['reference'] === reference)
  return data ? inquiryOf({ kind: 'handled', data, meta: null }, read) : { kind: 'not_found' }
}

/** Any other refusal is unknown and polled later, because the customer may still be paying. */
const act =
  (client: FlutterwaveClient, { wrongOtpWords }: FlutterwaveCredentials): Method<'act'> =>
  async (attempt, action) => {
    if (action.type === 'resend_otp')
      return { kind: 'not_sent', reason: 'Flutterwave cannot resend a password' }
    const found = await verifyCharge(client, attempt)
    const flwRef = readData(found, movementSchema)?.flw_ref
    if (!flwRef) return { kind: 'not_sent', reason: 'the charge could not be looked up' }
    const reply = await client('/validate-charge', { otp: action.otp, flw_ref: flwRef, type: 'card' })
    if (reply.kind !== 'refused') return outcomeOf(reply, readMovement(attempt))
    const text = reply.words.join(' ').toLowerCase()
    const isWrong = wrongOtpWords.some((word) => text.includes(word))
    return isWrong ? { kind: 'wrong_otp' } : { kind: 'unknown', reason: `HTTP ${reply.status}` }
  }
