import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { createStripeClient, idOf, OK_CARD, press, type StripeClient } from './testing/stripe-client.ts'

const stateDir = mkdtempSync(join(tmpdir(), 'simulator-stripe-'))

let simulator: Simulator
let receiver: Receiver
let client: StripeClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 5, stateDir, webhookRetryDelaysMs: [] })
  simulator.configure('stripe', { webhook_url: receiver.url })
  client = createStripeClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
  rmSync(stateDir, { recursive: true })
})

describe('Idempotency-Key', () => {
  test('the first answer is returned again, and nothing is accepted twice', async () => {
    const key = randomUUID()
    const first = await client.payByCard({ key, number: '4000000000003220' })
    const url = (first.json() as { next_action: { redirect_to_url: { url: string } } }).next_action
      .redirect_to_url.url
    await press(url, 'pay')
    const again = await client.payByCard({ key, number: '4000000000003220' })
    expect(again.json()).toEqual(first.json())
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(simulator.log({ reference: key })).toHaveLength(1)
  })

  test('a decline is returned again too', async () => {
    const key = randomUUID()
    const first = await client.payByCard({ key, number: '4000000000000002' })
    const again = await client.payByCard({ key, number: '4000000000000002' })
    expect([again.status, again.json()]).toEqual([402, first.json()])
  })

  test.each([{ amount: '2001' }, { number: '4000000000000002' }, { more: { description: 'other' } }])(
    'other parameters with the same key are an error: %j',
    async (change) => {
      const key = randomUUID()
      await client.payByCard({ key })
      const answer = await client.payByCard({ key, ...change })
      expect([answer.status, answer.json()]).toMatchObject([400, { error: { type: 'idempotency_error' } }])
      expect(simulator.log({ reference: key })).toHaveLength(1)
    },
  )

  test('a call while the first is in progress is 409', async () => {
    const key = randomUUID()
    // Sentinel 24 waits for the webhook receiver before it answers.
    const answers = await Promise.all([
      client.payByCard({ key, amount: '2024' }),
      client.payByCard({ key, amount: '2024' }),
    ])
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409])
    expect(simulator.log({ reference: key })).toHaveLength(1)
  })

  test('a validation error is not stored', async () => {
    const key = randomUUID()
    expect((await client.payByCard({ key, amount: '0' })).status).toBe(400)
    expect((await client.payByCard({ key })).status).toBe(200)
  })

  test.each([
    ['by a sentinel', async () => '2018'],
    [
      'by a fault',
      async () => {
        simulator.setFaults('stripe', [{ on: 'collect', fault: 'error_500_accepted' }])
        return '2000'
      },
    ],
  ])('a 500 after acceptance %s is returned again', async (_way, prepare) => {
    const key = randomUUID()
    const amount = await prepare()
    expect((await client.payByCard({ key, amount })).status).toBe(500)
    expect((await client.payByCard({ key, amount })).status).toBe(500)
    expect(simulator.log({ reference: key })).toHaveLength(1)
  })

  test('a repeat gets the complete lost answer', async () => {
    const key = randomUUID()
    await expect(client.payByCard({ key, amount: '2016', timeoutMs: 1_000 })).rejects.toThrow('timeout')
    expect((await client.payByCard({ key, amount: '2016' })).json()).toMatchObject({ status: 'succeeded' })
    expect(simulator.log({ reference: key })).toHaveLength(1)
  })

  test('keys survive a restart', async () => {
    const key = randomUUID()
    const first = await client.payByCard({ key })
    await simulator.stop()
    simulator = await startSimulator({ delayMs: 5, stateDir, webhookRetryDelaysMs: [] })
    simulator.configure('stripe', { webhook_url: receiver.url })
    client = createStripeClient(simulator)
    expect((await client.payByCard({ key })).json()).toEqual(first.json())
    expect(simulator.log({ reference: key })).toHaveLength(1)
  })
})

describe('card numbers', () => {
  test('are in no file, log, webhook, record or answer', async () => {
    const typed = '4000 0000 0000 9995'
    const answers = [
      await client.payByCard({ key: randomUUID() }),
      await client.payByCard({ key: randomUUID(), number: '4000000000000002' }),
      await client.payByCard({ key: randomUUID(), number: '4000000000003220' }),
    ]
    const session = await client.openSession({ key: randomUUID() })
    const { url } = session.json() as { url: string }
    answers.push(session, await press(url, 'pay', { number: typed }))
    answers.push(await press(url, 'pay', { number: OK_CARD, cvc: '123' }))
    answers.push(await client.get(`/v1/checkout/sessions/${idOf(session)}`))
    await simulator.settle({ all: true })
    const files = readdirSync(stateDir).map((name) => readFileSync(join(stateDir, name), 'utf8'))
    const everything = JSON.stringify([
      files,
      answers.map(({ text }) => text),
      simulator.log(),
      simulator.transactions('stripe'),
      simulator.webhooks('stripe'),
    ])
    expect(everything).toContain('"last4')
    const secrets = [OK_CARD, '4000000000000002', '4000000000003220', '4000000000009995', typed]
    expect(secrets.filter((number) => everything.includes(number))).toEqual([])
  })
})
