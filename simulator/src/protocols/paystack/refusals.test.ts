import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { createPaystackClient, PAYSTACK_KEY, type PaystackClient } from './testing/paystack-client.ts'

let simulator: Simulator
let receiver: Receiver
let client: PaystackClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 86_400_000, webhookRetryDelaysMs: [] })
  simulator.configure('paystack', { webhook_url: receiver.url })
  client = createPaystackClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

describe('400', () => {
  test.each([
    ['/transaction/initialize', { email: 'a@b.test' }, 'invalid_amount'],
    ['/transaction/initialize', { email: 'nobody', amount: 5 }, 'invalid_email'],
    ['/transaction/initialize', { email: 'a@b.test', amount: 5.5 }, 'invalid_amount'],
    ['/transaction/initialize', { email: 'a@b.test', amount: 5, currency: 'EUR' }, 'invalid_currency'],
    ['/charge', { email: 'a@b.test', amount: 5 }, 'missing_charge_object'],
    [
      '/charge',
      { email: 'a@b.test', amount: 5, card: { number: '4084084084084081' } },
      'missing_charge_object',
    ],
    [
      '/charge',
      { email: 'a@b.test', amount: 5, currency: 'GHS', mobile_money: { phone: '055', provider: 'mtn' } },
      'invalid_phone',
    ],
    [
      '/charge',
      {
        email: 'a@b.test',
        amount: 5,
        currency: 'KES',
        mobile_money: { phone: '0551234987', provider: 'mtn' },
      },
      'invalid_provider',
    ],
    [
      '/transferrecipient',
      { type: 'nuban', name: 'A', account_number: '0123456789', bank_code: 'MTN' },
      'invalid_bank_code',
    ],
    [
      '/transferrecipient',
      { type: 'nuban', name: 'A', account_number: '12345', bank_code: '058' },
      'invalid_account_number',
    ],
    ['/transfer', { source: 'card', amount: 5, recipient: 'R', reference: randomUUID() }, 'invalid_source'],
    ['/transfer', { source: 'balance', amount: 5, recipient: 'R', reference: 'SHORT' }, 'invalid_reference'],
    [
      '/transfer',
      { source: 'balance', amount: 5, recipient: 'R', reference: randomUUID() },
      'invalid_recipient',
    ],
  ])('%s %j', async (path, body, code) => {
    const answer = await client.post(path, body)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      status: false,
      type: 'validation_error',
      code,
      meta: { nextStep: expect.any(String) },
    })
    expect(simulator.log()).toEqual([])
  })

  test('a body that is not JSON', async () => {
    const answer = await client.call('/charge', { method: 'POST', body: 'not json' })
    expect([answer.status, answer.json()]).toMatchObject([400, { status: false }])
  })
})

describe('401', () => {
  test.each([
    ['no key', {}],
    ['another key', { authorization: 'Bearer sk_test_guess' }],
  ])('%s', async (_what, headers: Record<string, string>) => {
    const answer = await http(`${simulator.providerUrl('paystack')}/bank`, { headers })
    expect([answer.status, answer.json()]).toMatchObject([401, { status: false }])
  })

  test('one account does not see the data of another', async () => {
    const reference = randomUUID()
    simulator.configure('paystack', { account: 'other', secrets: { secret_key: 'sk_test_other' } })
    await client.charge({ reference })
    expect((await createPaystackClient(simulator, 'sk_test_other').verify(reference)).status).toBe(404)
  })
})

describe('404', () => {
  test.each([
    `/transaction/verify/${randomUUID()}`,
    `/charge/${randomUUID()}`,
    `/transfer/verify/${randomUUID()}`,
    '/refund/12345',
  ])('%s', async (path) => {
    const answer = await client.call(path)
    expect([answer.status, answer.json()]).toMatchObject([404, { status: false, type: 'validation_error' }])
  })
})

describe('webhooks', () => {
  async function received(reference: string) {
    await client.charge({ reference })
    await simulator.settle({ reference })
    return receiver.received().findLast((webhook) => webhook.body.includes(reference))
  }

  test('are signed over their raw bytes with the secret key', async () => {
    const webhook = await received(randomUUID())
    const expected = createHmac('sha512', PAYSTACK_KEY)
      .update(webhook?.body ?? '')
      .digest('hex')
    expect(webhook?.headers['x-paystack-signature']).toBe(expected)
  })

  test('can be forged, repeated and sent by hand', async () => {
    const reference = randomUUID()
    const genuine = await received(reference)
    const send = (more: object) =>
      http(`${simulator.providerUrl('paystack')}/_webhooks/send`, {
        method: 'POST',
        body: { reference, ...more },
      })
    await send({ forge: true })
    const forged = receiver.received().at(-1)
    expect(forged?.body).toBe(genuine?.body)
    expect(forged?.headers['x-paystack-signature']).not.toBe(genuine?.headers['x-paystack-signature'])
    expect((await send({ duplicate: true })).json()).toEqual({ sent: 2 })
    await send({ event: 'charge.dispute.create' })
    expect(receiver.received().at(-1)?.body).toContain('"event":"charge.dispute.create"')
  })

  test('can be duplicated and dropped by a fault', async () => {
    const [twice, never] = [randomUUID(), randomUUID()]
    simulator.setFaults('paystack', [
      { on: 'webhook', fault: 'webhook_duplicate', reference: twice },
      { on: 'webhook', fault: 'webhook_drop', reference: never },
    ])
    await received(twice)
    await received(never)
    const count = (reference: string) =>
      receiver.received().filter((webhook) => webhook.body.includes(reference)).length
    expect([count(twice), count(never)]).toEqual([2, 0])
  })
})
