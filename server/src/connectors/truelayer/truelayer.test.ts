import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { sign, verify, type HttpMethod } from 'truelayer-signing'
import { describe, expect, test } from 'vitest'
import type { Attempt, Connector, WebhookRequest } from '../kit/connector.ts'
import type { HttpCall, HttpResult } from '../kit/http-client.ts'
import { truelayerConnector } from './connector.ts'

const client = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const signingKey = client.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const clientPublicKey = client.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const ownKey = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const jwks = JSON.stringify({ keys: [{ ...ownKey.publicKey.export({ format: 'jwk' }), kid: 'K1' }] })

const now = new Date('2026-05-01T12:00:00Z')
const reference = '5c2c5a39-6ec8-4a1e-8d5c-0a1d4b5d9c11'
const post = 'POST' as HttpMethod // a const enum, which isolated modules cannot read

interface Fixture {
  connector: Connector
  calls: HttpCall[]
  /** The answers of the API in order; the last one repeats. */
  answers: [status: number, body: unknown][]
  jwks: { status: number; body: string }
}

function open(change: object = {}, at = now): Fixture {
  const clientId = randomUUID()
  const setup: Omit<Fixture, 'connector'> = { calls: [], answers: [], jwks: { status: 200, body: jwks } }
  const http = async (call: HttpCall): Promise<HttpResult> => {
    const answered = (status: number, body: string): HttpResult => ({
      kind: 'answered',
      status,
      headers: {},
      body,
    })
    if (call.url.includes('jwks')) return answered(setup.jwks.status, setup.jwks.body)
    setup.calls.push(call)
    if (call.url.endsWith('/connect/token')) {
      const count = setup.calls.filter(({ url }) => url === call.url).length
      return answered(200, JSON.stringify({ access_token: `token-${count}`, expires_in: 3600 }))
    }
    const [status, body] = (setup.answers.length > 1 ? setup.answers.shift() : setup.answers[0]) ?? [200, {}]
    return answered(status, JSON.stringify(body))
  }
  const credentials = truelayerConnector.credentials.parse({
    clientId,
    clientSecret: 'secret',
    signingKey,
    signingKeyId: 'client-key',
    merchantAccounts: { GBP: 'MA1' },
    jwksUrl: `https://keys.test/${clientId}/jwks`,
    ...change,
  })
  const context = { credentials, http, clock: { now: () => at }, webhookUrl: 'https://api.test/hook' }
  return Object.assign(setup, { connector: truelayerConnector.create(context) })
}

const attempt: Attempt = {
  reference,
  providerRef: 'P1',
  direction: 'payin',
  method: 'bank_transfer',
  country: 'GB',
  amount: { amountMinor: 1_000n, currency: 'GBP' },
  createdAt: now,
}
const details = { payer: { name: 'Zoë', email: 'zoe@example.test' }, returnUrl: 'https://pay.test/return/1' }

describe('requests', () => {
  test('are signed so that TrueLayer’s library verifies them, and only as they were sent', async () => {
    const { connector, calls } = open()
    await connector.collect?.(attempt, details)
    const { url, body = '', headers = {} } = calls.at(-1) ?? { url: '' }
    const signature = headers['tl-signature'] ?? ''
    const sent = { publicKeyPem: clientPublicKey, signature, method: post, path: new URL(url).pathname, body }
    const signed = {
      ...sent,
      headers: { 'Idempotency-Key': reference },
      requiredHeaders: ['Idempotency-Key'],
    }
    expect(headers['idempotency-key']).toBe(reference)
    expect(() => verify(signed)).not.toThrow()
    expect(() => verify({ ...signed, body: `${body} ` })).toThrow(/signature/i)
    expect(() => verify({ ...signed, path: '/v3/payouts' })).toThrow(/signature/i)
    expect(() => verify({ ...signed, headers: { 'Idempotency-Key': randomUUID() } })).toThrow(/signature/i)
  })

  test('a token is fetched once and shared, and fetched again when it is rejected', async () => {
    const { connector, calls, answers } = open()
    answers.push([401, { title: 'Unauthenticated', status: 401 }], [200, {}])
    await Promise.all([connector.inquire(attempt), connector.inquire(attempt)])
    await connector.inquire(attempt)
    const tokens = calls.filter(({ url }) => url.endsWith('/connect/token'))
    expect(tokens).toHaveLength(2)
    expect(calls.at(-1)?.headers?.['authorization']).toBe('Bearer token-2')
  })

  test('a key that is no P-521 key is refused', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(() => open({ signingKey: pem })).toThrow(/P-521/)
    expect(() => open({ signingKey: 'no key' })).toThrow(/P-521/)
  })
})

describe('answers', () => {
  test.each([
    [409, 'Idempotency-Key Concurrency Conflict'],
    [422, 'Idempotency-Key Reuse'],
    [500, 'Internal Server Error'],
  ])('%d %s leaves the first request unknown', async (status, title) => {
    const { connector, answers } = open()
    answers.push([status, { title, status }])
    expect(await connector.collect?.(attempt, details)).toMatchObject({ kind: 'unknown' })
  })

  test('a payment without a page to pay on is unknown', async () => {
    const { connector, answers } = open()
    answers.push([201, { id: 'P1', status: 'authorization_required', resource_token: 't' }])
    expect(await connector.collect?.(attempt, details)).toMatchObject({ kind: 'unknown' })
  })

  test.each([
    ['payin', 'authorization_required', 'pending'],
    ['payin', 'authorizing', 'pending'],
    ['payin', 'attempt_failed', 'pending'],
    ['payin', 'authorized', 'processing'],
    ['payin', 'executed', 'processing'],
    ['payin', 'settled', 'completed'],
    ['payin', 'reversed', 'failed'],
    ['payin', 'a_word_of_next_year', 'processing'],
    ['payout', 'pending', 'processing'],
    ['payout', 'authorized', 'processing'],
    ['payout', 'executed', 'completed'],
    ['payout', 'failed', 'failed'],
    ['payout', 'settled', 'processing'],
  ] as const)('a %s that is %s is %s', async (direction, status, state) => {
    const { connector, answers } = open()
    answers.push([200, { id: 'P1', status, amount_in_minor: 1000, currency: 'GBP', metadata: { reference } }])
    expect(await connector.inquire({ ...attempt, direction })).toMatchObject({ state: { state } })
  })

  test.each([{}, { metadata: { reference: 'another' } }, { amount_in_minor: 'many' }])(
    'an answer with %j concerns another payment',
    async (change) => {
      const { connector, answers } = open()
      answers.push([200, { id: 'P1', status: 'settled', amount_in_minor: 1000, currency: 'GBP', ...change }])
      expect(await connector.inquire(attempt)).toMatchObject({ kind: 'unknown' })
    },
  )

  test.each([{ amount_in_minor: 999 }, { currency: 'EUR' }])(
    'an answer with %j reports the paid amount, and is no answer about a refund of another amount',
    async (change) => {
      const { connector, answers } = open()
      const settled = { id: 'P1', status: 'settled', metadata: { reference } }
      const movement = { ...settled, amount_in_minor: 1000, currency: 'GBP', ...change }
      const amount = { amountMinor: BigInt(movement.amount_in_minor), currency: movement.currency }
      answers.push([200, movement])
      expect(await connector.inquire(attempt)).toMatchObject({ kind: 'accepted', amount })
      const refund = { reference, providerRef: 'R1', amount: attempt.amount, isPartial: false }
      expect(await connector.inquireRefund?.(attempt, refund)).toMatchObject({ kind: 'unknown' })
    },
  )

  test('a listed refund without our metadata makes "not found" unknown', async () => {
    const { connector, answers } = open()
    const refund = { reference, providerRef: null, amount: attempt.amount, isPartial: false }
    const item = { id: 'R1', status: 'executed', amount_in_minor: 1000, currency: 'GBP' }
    answers.push([200, { items: [{ ...item, metadata: {} }] }])
    expect(await connector.inquireRefund?.(attempt, refund)).toMatchObject({ kind: 'unknown' })
    answers.splice(0, 1, [200, { items: [{ ...item, metadata: { reference: 'another' } }] }])
    expect(await connector.inquireRefund?.(attempt, refund)).toEqual({ kind: 'not_found' })
  })
})

/** A webhook that TrueLayer's library signed, with the address of its keys in the header. */
function webhook(change: Partial<WebhookRequest> & { at?: Date; key?: typeof ownKey } = {}): WebhookRequest {
  const { at = now, key = ownKey, ...rest } = change
  const event = { type: 'payment_settled', event_id: 'E1', payment_id: 'P1', metadata: { reference } }
  const body = JSON.stringify(event)
  const timestamp = at.toISOString()
  const signature = sign({
    kid: 'K1',
    privateKeyPem: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    method: post,
    path: '/v1/providers/truelayer/webhooks/t',
    headers: { 'X-Tl-Webhook-Timestamp': timestamp, 'Content-Type': 'application/json' },
    body,
  })
  return {
    method: 'POST',
    url: 'https://api.test/v1/providers/truelayer/webhooks/t',
    rawBody: Buffer.from(body),
    headers: {
      'tl-signature': signature,
      'x-tl-webhook-timestamp': timestamp,
      'content-type': 'application/json',
    },
    ...rest,
  }
}

const verdictOf = async (request: WebhookRequest, setup = open()) =>
  (await setup.connector.verifyWebhook?.(request))?.kind

describe('webhooks', () => {
  test('a webhook that TrueLayer’s library signed is the provider’s', async () => {
    expect(await verdictOf(webhook())).toBe('provider')
  })

  test('a forgery with the right key id is forged', async () => {
    expect(await verdictOf(webhook({ key: otherKey }))).toBe('forged')
  })

  test('a changed byte, path or header is forged', async () => {
    const genuine = webhook()
    const setup = open()
    for (let position = 0; position < genuine.rawBody.length; position += 1) {
      const rawBody = Buffer.from(genuine.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      expect(await verdictOf({ ...genuine, rawBody }, setup)).toBe('forged')
    }
    expect(await verdictOf({ ...genuine, url: 'https://api.test/elsewhere' }, setup)).toBe('forged')
    const later = { ...genuine.headers, 'x-tl-webhook-timestamp': '2026-05-01T12:00:01.000Z' }
    expect(await verdictOf({ ...genuine, headers: later }, setup)).toBe('forged')
  })

  test('a webhook that is too old or dated in the future is forged', async () => {
    const genuine = webhook()
    for (const shiftMs of [900_001, -900_001]) {
      const setup = open({}, new Date(now.getTime() + shiftMs))
      expect(await verdictOf(genuine, setup)).toBe('forged')
    }
  })

  test('a signature that does not cover the time is forged', async () => {
    const genuine = webhook()
    const signature = sign({
      kid: 'K1',
      privateKeyPem: ownKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      method: post,
      path: new URL(genuine.url).pathname,
      body: genuine.rawBody.toString(),
    })
    const headers = { ...genuine.headers, 'tl-signature': signature }
    expect(await verdictOf({ ...genuine, headers })).toBe('forged')
  })

  test('keys are fetched only from the configured address, never from that in the signature', async () => {
    const [encoded = '', , value = ''] = String(webhook().headers['tl-signature']).split('.')
    const header: object = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    const named = Buffer.from(JSON.stringify({ ...header, jku: 'https://evil.test/jwks' })).toString(
      'base64url',
    )
    const genuine = webhook()
    const headers = { ...genuine.headers, 'tl-signature': `${named}..${value}` }
    expect(await verdictOf({ ...genuine, headers })).toBe('forged')
  })

  test.each(['', 'x', 'a.b.c', 'e30..e30'])('%j is no signature', async (text) => {
    const genuine = webhook()
    expect(await verdictOf({ ...genuine, headers: { ...genuine.headers, 'tl-signature': text } })).toBe(
      'forged',
    )
  })

  test('a webhook is unsigned while the keys cannot be fetched, and a key of another curve is ignored', async () => {
    const setup = open()
    setup.jwks = { status: 503, body: '' }
    expect(await verdictOf(webhook(), setup)).toBe('unsigned')
    const small = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    const other = open()
    other.jwks = { status: 200, body: JSON.stringify({ keys: [{ ...small, kid: 'K1' }, 7, { kid: 'K2' }] }) }
    expect(await verdictOf(webhook(), other)).toBe('forged')
  })

  test.each([
    ['payment_executed', { payment_id: 'P1' }, 'attempt', 'processing'],
    ['payment_failed', { payment_id: 'P1', failure_reason: 'rejected' }, 'attempt', 'failed'],
    ['payment_failed', { payment_id: 'P1', failure_reason: 'canceled' }, 'attempt', 'canceled'],
    ['payment_reversed', { payment_id: 'P1' }, 'attempt', 'failed'],
    ['payout_executed', { payout_id: 'P1' }, 'attempt', 'completed'],
    ['payout_failed', { payout_id: 'P1', failure_reason: 'returned' }, 'attempt', 'failed'],
    ['refund_executed', { refund_id: 'P1', payment_id: 'P0' }, 'refund', 'completed'],
  ])('%s %j updates the %s: %s', (type, fields, subject, state) => {
    const event = { type, event_id: 'E1', ...fields, metadata: { reference } }
    const updates = open().connector.readWebhook?.(Buffer.from(JSON.stringify(event)))
    expect(updates).toMatchObject([
      { dedupeKey: 'E1', reference, subject, providerRef: 'P1', state: { state } },
    ])
  })

  test('an event without our metadata is ignored', () => {
    const event = { type: 'external_payment_received', event_id: 'E1', metadata: { reference } }
    const foreign = { type: 'payment_settled', event_id: 'E1', payment_id: 'P1' }
    const read = (body: object) => open().connector.readWebhook?.(Buffer.from(JSON.stringify(body)))
    expect([read(event), read(foreign)]).toEqual([[], []])
  })
})
