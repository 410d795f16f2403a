import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Account } from '../../core/accounts.ts'
import { json, type Answer } from '../../core/answer.ts'
import { fieldOf, type Call, type OpenCall } from '../../core/call.ts'
import type { MoneyOperation, Transaction } from '../../core/transaction.ts'
import type { Kit, Protocol, Route } from '../../protocol.ts'
import { channelsOf, networksOf, ratesOf } from './reference-data.ts'
import { present, receive, refusal, send, statusOf } from './ramps.ts'
import { sandbox } from './sandbox.ts'

const skewMs = 5 * 60_000

/** Yellow Card: on-ramps and off-ramps with African fiat. */
export const yellowcard: Protocol = {
  name: 'yellowcard',
  sandbox,
  create: (kit) => ({
    routes: routesOf(kit),
    serverError: refusal(500, 'InternalServerError', 'Something went wrong'),
    rateLimited: json(429, { code: 'RateLimitError', message: 'Too many requests' }, { 'retry-after': '1' }),
    authenticate: (call, accounts) => authenticate(kit, call, accounts),
    webhooksFor: (transaction, event) => [
      {
        event: event ?? eventOf(transaction),
        body: JSON.stringify(webhookBody(transaction, event)),
        contentType: 'application/json',
      },
    ],
    signWebhook: ({ account, body }) => ({
      'x-yc-signature': createHmac('sha256', account.secrets['secret_key'] ?? '')
        .update(body)
        .digest('base64'),
    }),
  }),
}

function routesOf(kit: Kit): Route[] {
  const reference = (call: OpenCall) => fieldOf(call, 'sequenceId')
  const sequenceId = (call: OpenCall) => call.params['sequenceId']
  return [
    {
      method: 'GET',
      path: '/yellowcard/business/channels',
      on: 'prepare',
      handle: (call) => json(200, { channels: channelsOf(call.query['country']) }),
    },
    {
      method: 'GET',
      path: '/yellowcard/business/networks',
      on: 'prepare',
      handle: (call) => json(200, { networks: networksOf(call.query['country']) }),
    },
    {
      method: 'GET',
      path: '/yellowcard/business/rates',
      on: 'quote',
      handle: (call) => json(200, { rates: ratesOf(call.query['currency']) }),
    },
    {
      method: 'POST',
      path: '/yellowcard/business/receive',
      on: 'collect',
      reference,
      handle: (call) => receive(kit, call),
    },
    {
      method: 'GET',
      path: '/yellowcard/business/receive/sequence-id/:sequenceId',
      on: 'inquire',
      reference: sequenceId,
      handle: (call) => lookUp(kit, call, 'collect'),
    },
    {
      method: 'POST',
      path: '/yellowcard/business/send',
      on: 'payout',
      reference,
      handle: (call) => send(kit, call),
    },
    {
      method: 'GET',
      path: '/yellowcard/business/send/sequence-id/:sequenceId',
      on: 'inquire',
      reference: sequenceId,
      handle: (call) => lookUp(kit, call, 'payout'),
    },
  ]
}

function lookUp(kit: Kit, call: Call, operation: MoneyOperation): Answer {
  const reference = call.params['sequenceId'] ?? ''
  const found = kit.transactions.find({ account: call.account.name, operation, reference })
  if (found) return json(200, present(found))
  return operation === 'collect'
    ? refusal(404, 'CollectionNotFoundError', 'The collection was not found')
    : refusal(404, 'PaymentNotFound', 'The payment was not found')
}

/** `YcHmacV1 {apiKey}:{signature}` over time, path, method and, with a body, its digest. */
function authenticate(kit: Kit, call: OpenCall, accounts: readonly Account[]): Account | Answer {
  const denied = refusal(401, 'AuthenticationError', 'Invalid credentials')
  const [, apiKey, signature = ''] = /^YcHmacV1 ([^:]+):(.+)$/.exec(call.header('authorization') ?? '') ?? []
  const timestamp = call.header('x-yc-timestamp') ?? ''
  const account = accounts.find(({ secrets }) => secrets['api_key'] === apiKey)
  const ageMs = Math.abs(kit.clock.now().getTime() - Date.parse(timestamp))
  if (!account || !(ageMs < skewMs)) return denied
  const path = call.path.replace(/^\/yellowcard/, '')
  const digest = call.rawBody.length === 0 ? '' : createHash('sha256').update(call.rawBody).digest('base64')
  const expected = createHmac('sha256', account.secrets['secret_key'] ?? '')
    .update(`${timestamp}${path}${call.method}${digest}`)
    .digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? account : denied
}

const eventOf = (transaction: Transaction): string =>
  `${transaction.operation === 'collect' ? 'RECEIVE' : 'SEND'}.${statusOf(transaction).toUpperCase()}`

function webhookBody(transaction: Transaction, event: string | undefined): object {
  const name = event ?? eventOf(transaction)
  return {
    ...present(transaction),
    status: name.slice(name.indexOf('.') + 1).toLowerCase(),
    apiKey: 'yc-sandbox-key',
    event: name,
    sessionId: transaction.providerRef,
    executedAt: Date.parse(transaction.updatedAt),
  }
}
