import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultInput } from '../../core/faults.ts'
import { startSimulator, type Simulator } from '../../simulator.ts'
import type { HttpAnswer } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { createPaystackClient, type PaymentInput, type PaystackClient } from './testing/paystack-client.ts'

/** Long enough for a busy machine to accept the request. */
const SHORT_MS = 1_000

let simulator: Simulator
let receiver: Receiver
let client: PaystackClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 10, webhookRetryDelaysMs: [] })
  simulator.configure('paystack', { webhook_url: receiver.url })
  client = createPaystackClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})
afterEach(() => simulator.setFaults('paystack', []))

interface Way {
  readonly way: string
  readonly event: string
  readonly send: (reference: string, digits: string, timeoutMs?: number) => Promise<HttpAnswer>
  readonly find: (reference: string) => Promise<HttpAnswer>
  readonly refused: readonly [status: number, body: object]
}

const withDigits = (digits: string): PaymentInput => ({ amount: 15_000 + Number(digits) })
const failedAtOnce = (message: string) =>
  [200, { status: true, data: { status: 'failed', message } }] as const

const WAYS: readonly Way[] = [
  {
    way: 'a charge, in the cents',
    event: 'charge.success',
    send: (reference, digits, timeoutMs) => client.charge(inputOf(reference, withDigits(digits), timeoutMs)),
    find: (reference) => client.verify(reference),
    refused: failedAtOnce('Insufficient Funds'),
  },
  {
    way: 'a charge, in the phone number',
    event: 'charge.success',
    send: (reference, digits, timeoutMs) =>
      client.charge(inputOf(reference, { phone: `05512349${digits}` }, timeoutMs)),
    find: (reference) => client.verify(reference),
    refused: failedAtOnce('Insufficient Funds'),
  },
  {
    way: 'a transfer, in the account number',
    event: 'transfer.success',
    send: (reference, digits, timeoutMs) =>
      client.transfer(inputOf(reference, { accountNumber: `01234567${digits}` }, timeoutMs)),
    find: (reference) => client.verifyTransfer(reference),
    refused: [400, { message: 'Your balance is not enough to fulfill this request' }],
  },
]

function inputOf(reference: string, input: PaymentInput, timeoutMs = 10_000): PaymentInput {
  return { reference, timeoutMs, ...input }
}

function acceptances(reference: string): number {
  return simulator.log({ reference }).length
}

function eventsOf(reference: string): string[] {
  return receiver
    .received()
    .map((webhook) => JSON.parse(webhook.body) as { event: string; data: { reference?: string } })
    .filter((body) => body.data.reference === reference)
    .map((body) => body.event)
}

describe.each(WAYS)('$way', ({ send, find, refused, event }) => {
  const expectStatus = async (reference: string, status: string) => {
    await expect.poll(async () => (await find(reference)).json()).toMatchObject({ data: { status } })
  }

  test('00 succeeds', async () => {
    const reference = randomUUID()
    expect((await send(reference, '00')).status).toBe(200)
    await expectStatus(reference, 'success')
    await expect.poll(() => eventsOf(reference)).toEqual([event])
  })

  test.each(['11', '12', '26'])('%s is declined and not accepted', async (digits) => {
    const reference = randomUUID()
    const answer = await send(reference, digits)
    if (digits === '12') expect([answer.status, answer.json()]).toMatchObject(refused)
    if (digits === '11') expect([answer.status, answer.json()]).toMatchObject([400, { status: false }])
    expect(acceptances(reference)).toBe(0)
    expect((await find(reference)).status).toBe(404)
  })

  test('13 stays pending', async () => {
    const reference = randomUUID()
    await send(reference, '13')
    expect(await simulator.settle({ reference })).toBe(0)
    expect((await find(reference)).text).toMatch(/"status":"(ongoing|pending)"/)
  })

  test('14 fails later', async () => {
    const reference = randomUUID()
    await send(reference, '14')
    await expectStatus(reference, 'failed')
  })

  test.each([
    ['16', 1],
    ['17', 0],
  ])('%s never answers and accepts %i', async (digits, accepted) => {
    const reference = randomUUID()
    await expect(send(reference, digits, SHORT_MS)).rejects.toThrow('timeout')
    expect(acceptances(reference)).toBe(accepted)
  })

  test.each([
    ['18', 500, 1],
    ['20', 200, 1],
    ['21', 500, 0],
    ['27', 429, 0],
  ])('%s answers %i and accepts %i', async (digits, status, accepted) => {
    const reference = randomUUID()
    expect((await send(reference, digits)).status).toBe(status)
    expect(acceptances(reference)).toBe(accepted)
  })

  test.each([
    ['19', 1],
    ['28', 0],
  ])('%s breaks the connection and accepts %i', async (digits, accepted) => {
    const reference = randomUUID()
    await expect(send(reference, digits)).rejects.toThrow(/closed|terminated|aborted/)
    expect(acceptances(reference)).toBe(accepted)
  })

  test('22 succeeds without a webhook', async () => {
    const reference = randomUUID()
    await send(reference, '22')
    await expectStatus(reference, 'success')
    expect(eventsOf(reference)).toEqual([])
  })

  test('23 sends the webhook twice', async () => {
    const reference = randomUUID()
    await send(reference, '23')
    await expect.poll(() => eventsOf(reference)).toEqual([event, event])
  })

  test('24 sends the webhook before the answer', async () => {
    const reference = randomUUID()
    await send(reference, '24')
    expect(eventsOf(reference)).toEqual([event])
  })

  test('25 succeeds and is reversed', async () => {
    const reference = randomUUID()
    await send(reference, '25')
    await expectStatus(reference, 'reversed')
    await expect.poll(() => eventsOf(reference)[0]).toBe(event)
  })

  test('29 fails, then succeeds later', async () => {
    const reference = randomUUID()
    await send(reference, '29')
    await expectStatus(reference, 'success')
  })
})

test('a reversed transfer is reported by its event', async () => {
  const reference = randomUUID()
  await client.transfer({ reference, amount: 15_025 })
  await expect.poll(() => eventsOf(reference)).toEqual(['transfer.success', 'transfer.reversed'])
})

test('an account can receive events for failed charges', async () => {
  simulator.configure('paystack', { options: { charge_failed_events: true } })
  const reference = randomUUID()
  await client.charge({ reference, amount: 15_014 })
  await expect.poll(() => eventsOf(reference)).toEqual(['charge.failed'])
  simulator.configure('paystack', { options: { charge_failed_events: false } })
})

describe('faults', () => {
  test.each<[FaultInput['on'], () => Promise<HttpAnswer>]>([
    ['collect', () => client.initialize()],
    ['collect', () => client.charge()],
    ['payout', () => client.transfer()],
    ['prepare', () => client.post('/transferrecipient', {})],
    ['inquire', () => client.verify(randomUUID())],
    ['list', () => client.call('/bank')],
    ['act', () => client.post('/charge/submit_otp', {})],
    ['refund', () => client.post('/refund', {})],
  ])('reach %s', async (on, send) => {
    simulator.setFaults('paystack', [{ on, fault: 'error_500' }])
    const answer = await send()
    expect([answer.status, answer.json()]).toMatchObject([500, { status: false, type: 'api_error' }])
  })

  test('a declined page fails for the fault’s reason once it is paid', async () => {
    const reference = randomUUID()
    simulator.setFaults('paystack', [{ on: 'collect', fault: 'decline', reason: 'insufficient_funds' }])
    const answer = await client.initialize({ reference })
    const page = (answer.json() as { data: { authorization_url: string } }).data.authorization_url
    await fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' })
    expect((await client.verify(reference)).json()).toMatchObject({
      data: { status: 'failed', gateway_response: 'Insufficient Funds' },
    })
  })
})
