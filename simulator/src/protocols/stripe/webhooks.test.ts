import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { startReceiver, type ReceivedWebhook, type Receiver } from '../../testing/receiver.ts'
import { createStripeClient, idOf, WEBHOOK_SECRET, type StripeClient } from './testing/stripe-client.ts'

let simulator: Simulator
let receiver: Receiver
let client: StripeClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 5, webhookRetryDelaysMs: [] })
  simulator.configure('stripe', { webhook_url: receiver.url })
  client = createStripeClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

interface Event {
  readonly id: string
  readonly type: string
  readonly data: { readonly object: { readonly id: string; readonly status?: string } }
}

function received(id: string): { webhook: ReceivedWebhook; event: Event }[] {
  return receiver
    .received()
    .map((webhook) => ({ webhook, event: JSON.parse(webhook.body) as Event }))
    .filter(({ event }) => event.data.object.id === id)
}

function isSignedWith(secret: string, webhook: ReceivedWebhook): boolean {
  const parts = String(webhook.headers['stripe-signature']).split(',')
  const at = parts[0]?.replace('t=', '')
  const expected = createHmac('sha256', secret).update(`${at}.${webhook.body}`).digest('hex')
  return parts.includes(`v1=${expected}`)
}

test('a success is reported by a signed event', async () => {
  const id = idOf(await client.payByCard())
  await expect.poll(() => received(id)).toHaveLength(1)
  const [{ webhook, event }] = received(id) as [ReturnType<typeof received>[number]]
  expect(event).toMatchObject({
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { status: 'succeeded' } },
  })
  expect(isSignedWith(WEBHOOK_SECRET, webhook)).toBe(true)
})

test('during a rotation both secrets sign', async () => {
  simulator.configure('stripe', { secrets: { webhook_secret_next: 'whsec_next' } })
  const id = idOf(await client.payByCard())
  await expect.poll(() => received(id)).toHaveLength(1)
  const { webhook } = received(id)[0]!
  expect([isSignedWith(WEBHOOK_SECRET, webhook), isSignedWith('whsec_next', webhook)]).toEqual([true, true])
})

test('a decline and a partial transfer are reported', async () => {
  const declined = (await client.payByCard({ number: '4000000000000002' })).json() as {
    error: { payment_intent: { id: string } }
  }
  const { id } = declined.error.payment_intent
  await expect
    .poll(() => received(id).map(({ event }) => event.type))
    .toEqual(['payment_intent.payment_failed'])

  const transfer = (await client.startTransfer({ amount: '2013' })).json() as { id: string; customer: string }
  const path = `/v1/test_helpers/customers/${transfer.customer}/fund_cash_balance`
  await client.post(path, { amount: '5', currency: 'gbp' })
  expect(received(transfer.id).map(({ event }) => event.type)).toEqual(['payment_intent.partially_funded'])
})

test('a refund is reported for the charge and for the refund', async () => {
  const intent = idOf(await client.payByCard())
  const refund = idOf(await client.post('/v1/refunds', { payment_intent: intent }))
  await expect.poll(() => received(refund).map(({ event }) => event.type)).toEqual(['refund.updated'])
  const [told] = received(intent.replace('pi_', 'ch_'))
  expect(told?.event).toMatchObject({ type: 'charge.refunded', data: { object: { refunded: true } } })
})

test('a repeated event has the same id, and a forged event has a wrong signature', async () => {
  const key = randomUUID()
  const id = idOf(await client.payByCard({ key, amount: '2023' }))
  await expect.poll(() => received(id)).toHaveLength(2)
  const send = (body: object) =>
    http(`${simulator.url}/stripe/_webhooks/send`, { method: 'POST', body: { reference: key, ...body } })
  await send({ forge: true })
  await send({ event: 'payment_intent.payment_failed' })
  const [first, second, forged, untrue] = received(id)
  expect(second?.event.id).toBe(first?.event.id)
  expect(forged?.event.id).toBe(first?.event.id)
  expect(isSignedWith(WEBHOOK_SECRET, forged!.webhook)).toBe(false)
  expect(untrue?.event).toMatchObject({ data: { object: { status: 'requires_payment_method' } } })
  expect(untrue?.event.id).not.toBe(first?.event.id)
})
