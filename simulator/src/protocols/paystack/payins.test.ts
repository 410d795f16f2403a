import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { createPaystackClient, type PaystackClient } from './testing/paystack-client.ts'

let simulator: Simulator
let receiver: Receiver
let client: PaystackClient

beforeAll(async () => {
  receiver = await startReceiver()
  // With a delay of a day, no transaction advances until a test settles it.
  simulator = await startSimulator({ delayMs: 86_400_000, webhookRetryDelaysMs: [] })
  simulator.configure('paystack', { webhook_url: receiver.url })
  client = createPaystackClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

function eventsAbout(text: string): string[] {
  return receiver
    .received()
    .filter((webhook) => webhook.body.includes(text))
    .map((webhook) => (JSON.parse(webhook.body) as { event: string }).event)
}

interface TransactionAnswer {
  readonly data: { readonly id: number; readonly authorization_url: string }
}

describe('the hosted page', () => {
  const callbackUrl = 'https://shop.example/back?order=7'

  async function open(reference: string, amount?: number): Promise<string> {
    const more = { callback_url: callbackUrl, channels: ['card'] }
    const answer = await client.initialize({ reference, more, ...(amount !== undefined && { amount }) })
    expect(answer.json()).toMatchObject({
      status: true,
      message: 'Authorization URL created',
      data: { reference, access_code: expect.stringMatching(/^\w{15}$/) },
    })
    return (answer.json() as TransactionAnswer).data.authorization_url
  }

  function decide(page: string, decision: string) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return http(page, { method: 'POST', headers, body: `decision=${decision}` })
  }

  test('a customer pays and returns with both references', async () => {
    const reference = randomUUID()
    const page = await open(reference)
    expect((await http(page)).text).toContain('150.00 NGN')
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'abandoned' } })
    const answer = await decide(page, 'pay')
    expect(answer.status).toBe(303)
    expect(answer.headers['location']).toBe(`${callbackUrl}&trxref=${reference}&reference=${reference}`)
    expect((await client.verify(reference)).json()).toMatchObject({
      status: true,
      data: { status: 'success', amount: 15_000, currency: 'NGN', channel: 'card', reference },
    })
    expect(eventsAbout(reference)).toEqual(['charge.success'])
    expect((await http(page)).text).toContain('has been decided')
  })

  test('a declined card fails, and Paystack sends no event about it', async () => {
    const reference = randomUUID()
    const answer = await decide(await open(reference), 'decline')
    expect(answer.headers['location']).toContain(`trxref=${reference}`)
    expect((await client.verify(reference)).json()).toMatchObject({
      data: { status: 'failed', gateway_response: 'Declined' },
    })
    expect(eventsAbout(reference)).toEqual([])
  })

  test('a customer who cancels can still pay later', async () => {
    const reference = randomUUID()
    const page = await open(reference)
    expect((await decide(page, 'cancel')).status).toBe(303)
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'abandoned' } })
    await decide(page, 'pay')
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'success' } })
  })

  test.each([
    [15_012, 'failed', 'Insufficient Funds'],
    [15_026, 'failed', 'Declined'],
    [15_014, 'failed', 'The customer did not authorize the payment'],
    [15_013, 'ongoing', 'Pending'],
  ])('the cents of %i decide the result of the payment: %s', async (amount, status, words) => {
    const reference = randomUUID()
    await decide(await open(reference, amount), 'pay')
    expect((await client.verify(reference)).json()).toMatchObject({
      data: { status, gateway_response: words },
    })
  })

  test('an unknown page is 404', async () => {
    expect((await http(`${simulator.providerUrl('paystack')}/checkout/nowhere`)).status).toBe(404)
  })
})

describe('a mobile money charge', () => {
  test('prompts the phone, then succeeds', async () => {
    const reference = randomUUID()
    expect((await client.charge({ reference })).json()).toEqual({
      status: true,
      message: 'Charge attempted',
      data: { reference, status: 'pay_offline', display_text: expect.any(String) },
    })
    expect((await client.call(`/charge/${reference}`)).json()).toMatchObject({ data: { status: 'pending' } })
    await simulator.settle({ reference })
    expect((await client.call(`/charge/${reference}`)).json()).toMatchObject({ data: { status: 'success' } })
    expect(eventsAbout(reference)).toEqual(['charge.success'])
  })

  test.each([
    ['Vodafone', { provider: 'vod' }],
    ['the sentinel', { amount: 15_015 }],
  ])('%s asks for a password, refuses a wrong one and accepts the right one', async (_who, input) => {
    const reference = randomUUID()
    const submit = (otp: string) => client.post('/charge/submit_otp', { otp, reference })
    expect((await client.charge({ reference, ...input })).json()).toMatchObject({
      data: { status: 'send_otp' },
    })
    const wrong = await submit('000000')
    expect([wrong.status, wrong.json()]).toMatchObject([400, { status: false, code: 'incorrect_otp' }])
    expect((await submit('123456')).json()).toMatchObject({ data: { status: 'pending' } })
    await simulator.settle({ reference })
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'success' } })
    expect((await submit('123456')).json()).toMatchObject({ code: 'invalid_charge_state' })
  })

  test('the third wrong password ends the charge', async () => {
    const reference = randomUUID()
    const submit = () => client.post('/charge/submit_otp', { otp: '000000', reference })
    await client.charge({ reference, provider: 'vod' })
    await submit()
    await submit()
    expect((await submit()).json()).toMatchObject({ status: true, data: { status: 'failed' } })
  })

  test.each(['mpesa', 'mpesa_offline', 'mptill'])('Kenya accepts %s', async (provider) => {
    const input = { provider, currency: 'KES', phone: '+254710000000' }
    expect((await client.charge(input)).json()).toMatchObject({ data: { status: 'pay_offline' } })
  })
})

describe('a bank transfer', () => {
  test('returns an account, rejects a wrong amount and accepts the right one', async () => {
    const reference = randomUUID()
    const pay = (amount: number) => client.post('/_bank/pay', { reference, amount })
    const answer = await client.chargeByBank({ reference })
    expect(answer.json()).toMatchObject({
      data: {
        status: 'pending_bank_transfer',
        account_name: 'PAYSTACK CHECKOUT',
        account_number: expect.stringMatching(/^\d{10}$/),
        bank: { name: 'Test Bank', slug: 'test-bank' },
        account_expires_at: expect.any(String),
      },
    })
    const verified = (await client.verify(reference)).json() as TransactionAnswer
    expect((await pay(14_999)).json()).toEqual({ outcome: 'rejected' })
    expect(eventsAbout(`"transaction_id":"${verified.data.id}"`)).toEqual(['bank.transfer.rejected'])
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'ongoing' } })
    expect((await pay(15_000)).json()).toEqual({ outcome: 'paid' })
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'success' } })
    expect((await pay(15_000)).status).toBe(409)
  })

  test('is paid after the delay', async () => {
    const reference = randomUUID()
    await client.chargeByBank({ reference })
    await simulator.settle({ reference })
    expect((await client.verify(reference)).json()).toMatchObject({ data: { status: 'success' } })
  })

  test('is available only in naira', async () => {
    const answer = await client.chargeByBank({ currency: 'GHS' })
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'unsupported_currency' }])
  })
})

describe('disputes', () => {
  test('a lost dispute makes the transaction reversed, and is listed by the id of the transaction', async () => {
    const reference = randomUUID()
    await client.chargeByBank({ reference })
    await simulator.settle({ all: true })
    const { id } = await simulator.dispute('paystack', { reference })
    const verified = async () => (await client.verify(reference)).json() as VerifyAnswer
    expect((await verified()).data.status).toBe('success')
    await simulator.dispute('paystack', { id, action: 'lose' })
    expect((await verified()).data.status).toBe('reversed')
    const list = async (transaction: number) =>
      (await client.call(`/dispute?transaction=${transaction}`)).json()
    expect(await list((await verified()).data.id)).toMatchObject({ data: [{ id: Number(id) }] })
    expect(await list(1)).toMatchObject({ data: [] })
    // Paystack's documentation does not say that it refuses a refund after a chargeback.
    expect((await client.post('/refund', { transaction: reference, amount: 100 })).status).toBe(200)
  })
})

interface VerifyAnswer {
  readonly data: { readonly id: number; readonly status: string }
}
