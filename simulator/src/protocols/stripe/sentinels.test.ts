import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import type { HttpAnswer } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { createStripeClient, idOf, type StripeClient } from './testing/stripe-client.ts'

/** Long enough for a busy machine to accept the request. */
const IMPATIENT_MS = 1_000

let simulator: Simulator
let receiver: Receiver
let client: StripeClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 86_400_000, webhookRetryDelaysMs: [] })
  simulator.configure('stripe', { webhook_url: receiver.url })
  client = createStripeClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

function acceptances(reference: string): number {
  return simulator.log({ reference }).length
}

function eventsOf(reference: string): string[] {
  return receiver
    .received()
    .map(({ body }) => JSON.parse(body) as { type: string; request: { idempotency_key: string } })
    .filter(({ request }) => request.idempotency_key === reference)
    .map(({ type }) => type)
}

type Send = (amount: string, key: string, timeoutMs?: number) => Promise<HttpAnswer>

const WAYS: readonly (readonly [way: string, send: Send])[] = [
  ['a card', (amount, key, timeoutMs) => client.payByCard({ amount, key, timeoutMs })],
  ['a session', (amount, key, timeoutMs) => client.openSession({ amount, key, timeoutMs })],
  ['a bank transfer', (amount, key, timeoutMs) => client.startTransfer({ amount, key, timeoutMs })],
  [
    'a refund',
    async (amount, key, timeoutMs) => {
      const intent = idOf(await client.payByCard({ amount: '9000' }))
      return client.post('/v1/refunds', { payment_intent: intent, amount }, key, timeoutMs)
    },
  ],
]

describe.each(WAYS)('cents of %s', (_way, send) => {
  test.each([
    ['16', 1],
    ['17', 0],
  ])('%s never answers and accepts %i', async (cents, accepted) => {
    const key = randomUUID()
    await expect(send(`20${cents}`, key, IMPATIENT_MS)).rejects.toThrow('timeout')
    expect(acceptances(key)).toBe(accepted)
  })

  test.each([
    ['18', 500, 1],
    ['20', 200, 1],
    ['21', 500, 0],
    ['27', 429, 0],
  ])('%s answers %i and accepts %i', async (cents, status, accepted) => {
    const key = randomUUID()
    expect((await send(`20${cents}`, key)).status).toBe(status)
    expect(acceptances(key)).toBe(accepted)
  })

  test.each([
    ['19', 1],
    ['28', 0],
  ])('%s breaks the connection and accepts %i', async (cents, accepted) => {
    const key = randomUUID()
    await expect(send(`20${cents}`, key)).rejects.toThrow(/closed|terminated|aborted/)
    expect(acceptances(key)).toBe(accepted)
  })
})

describe('a card payment', () => {
  test.each([
    ['11', 'try_again_later'],
    ['12', 'insufficient_funds'],
    ['26', 'restricted_card'],
  ])('%s is declined: %s', async (cents, declineCode) => {
    const key = randomUUID()
    const answer = await client.payByCard({ amount: `20${cents}`, key })
    expect([answer.status, answer.json()]).toMatchObject([402, { error: { decline_code: declineCode } }])
    expect(acceptances(key)).toBe(0)
  })

  test.each([
    ['00', ['payment_intent.succeeded']],
    ['14', ['payment_intent.payment_failed']],
    ['22', []],
    ['23', ['payment_intent.succeeded', 'payment_intent.succeeded']],
    ['25', ['payment_intent.succeeded', 'charge.refunded']],
    ['29', ['payment_intent.payment_failed', 'payment_intent.succeeded']],
  ])('%s sends %j', async (cents, events) => {
    const key = randomUUID()
    await client.payByCard({ amount: `20${cents}`, key })
    await simulator.settle({ reference: key, all: true })
    await expect.poll(() => eventsOf(key)).toEqual(events)
  })

  test('13 stays in processing', async () => {
    const key = randomUUID()
    const id = idOf(await client.payByCard({ amount: '2013', key }))
    await simulator.settle({ reference: key, all: true })
    expect((await client.get(`/v1/payment_intents/${id}`)).json()).toMatchObject({ status: 'processing' })
  })

  test('24 sends the webhook before the answer', async () => {
    const key = randomUUID()
    expect((await client.payByCard({ amount: '2024', key })).json()).toMatchObject({ status: 'succeeded' })
    expect(eventsOf(key)).toEqual(['payment_intent.succeeded'])
  })

  test('a documented card takes precedence over the cents', async () => {
    const key = randomUUID()
    const answer = await client.payByCard({ amount: '2016', number: '4000000000000002', key })
    expect(answer.json()).toMatchObject({ error: { decline_code: 'generic_decline' } })
    expect(acceptances(key)).toBe(0)
  })

  test('a configured fault takes precedence over the card', async () => {
    simulator.setFaults('stripe', [{ on: 'collect', fault: 'decline', reason: 'insufficient_funds' }])
    const answer = await client.payByCard({ number: '4000000000000002' })
    expect(answer.json()).toMatchObject({ error: { decline_code: 'insufficient_funds' } })
  })
})

describe('methods without an immediate decline', () => {
  test('a transfer and a session are refused only if their method is disabled', async () => {
    for (const send of [client.startTransfer, client.openSession]) {
      simulator.setFaults('stripe', [{ on: 'collect', fault: 'decline' }])
      expect((await send()).json()).toMatchObject({ error: { code: 'payment_method_unactivated' } })
    }
    const key = randomUUID()
    await client.startTransfer({ amount: '2012', key })
    await simulator.settle({ reference: key })
    await expect.poll(() => eventsOf(key)).toEqual(['payment_intent.payment_failed'])
  })

  test.each([
    ['2011', 200, ['refund.updated']],
    ['2012', 400, []],
    ['2014', 200, ['refund.updated']],
  ])('a refund of %s is answered with %i and sends %j', async (amount, status, events) => {
    const key = randomUUID()
    const intent = idOf(await client.payByCard({ amount: '9000' }))
    const answer = await client.post('/v1/refunds', { payment_intent: intent, amount }, key)
    expect(answer.status).toBe(status)
    await simulator.settle({ reference: key, all: true })
    await expect.poll(() => eventsOf(key)).toEqual(events)
  })
})
