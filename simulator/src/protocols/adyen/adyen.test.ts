import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http, type HttpAnswer } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { adyen } from './protocol.ts'

let simulator: Simulator
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  // With a delay of a day, no transaction advances until a test settles it.
  simulator = await startSimulator({ delayMs: 86_400_000, webhookRetryDelaysMs: [] })
  simulator.configure('adyen', { webhook_url: receiver.url })
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

const { secrets } = adyen.sandbox.account
const merchantAccount = 'SwitchyardECOM'

const post = (path: string, body: object, key: string = randomUUID(), apiKey = secrets['api_key'] ?? '') =>
  http(`${simulator.providerUrl('adyen')}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'idempotency-key': key },
    body,
  })
const get = (path: string, apiKey = secrets['api_key'] ?? '') =>
  http(`${simulator.providerUrl('adyen')}${path}`, { headers: { 'x-api-key': apiKey } })

const payment = (reference: string, { card = {}, ...change }: { card?: object; value?: number } = {}) => ({
  amount: { currency: 'EUR', value: change.value ?? 1000 },
  merchantAccount,
  reference,
  returnUrl: 'https://shop.test/back',
  paymentMethod: {
    type: 'scheme',
    number: '4111111111111111',
    expiryMonth: '03',
    expiryYear: '2040',
    cvc: '737',
    ...card,
  },
})
const decide = (page: string, decision: string) =>
  http(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `decision=${decision}`,
  })
const accepted = (reference: string) => simulator.log({ provider: 'adyen', reference })
const webhooksAbout = (reference: string) =>
  receiver.received().filter(({ body }) => body.includes(reference))
const read = (answer: HttpAnswer) => answer.json() as Record<string, never> // as each test expects it

describe('payments', () => {
  test('a card is authorised immediately and reported by an item with a signature over eight fields', async () => {
    const reference = randomUUID()
    const { pspReference } = read(await post('/v72/payments', payment(reference), reference))
    await simulator.settle()
    const [webhook] = webhooksAbout(reference)
    const [{ NotificationRequestItem: item }] = JSON.parse(webhook?.body ?? '').notificationItems
    const text = `${pspReference}::${merchantAccount}:${reference}:1000:EUR:AUTHORISATION:true`
    const key = Buffer.from(secrets['hmac_key'] ?? '', 'hex')
    const signature = createHmac('sha256', key).update(text).digest('base64')
    expect(item.additionalData.hmacSignature).toBe(signature)
  })

  test('a repeat with the same key gets the first answer and creates no second payment', async () => {
    const reference = randomUUID()
    const first = read(await post('/v72/payments', payment(reference), reference))
    expect(read(await post('/v72/payments', payment(reference), reference))).toEqual(first)
    expect(accepted(reference)).toHaveLength(1)
  })

  test('holder names decide, and a refusal is HTTP 200 without acceptance', async () => {
    const reference = randomUUID()
    const body = payment(reference, { card: { holderName: 'NOT_ENOUGH_BALANCE' } })
    const answer = await post('/v72/payments', body, reference)
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ resultCode: 'Refused', refusalReasonCode: '12' })
    expect(accepted(reference)).toEqual([])
  })

  test('a card with 3D Secure is charged only by payments/details', async () => {
    const reference = randomUUID()
    const body = payment(reference, { card: { number: '4917610000000000' } })
    const { action } = (await post('/v72/payments', body)).json() as { action: { url: string } } // as asked
    const details = (redirectResult: string) => post('/v72/payments/details', { details: { redirectResult } })
    const back = await decide(action.url, 'pay')
    const redirectResult = new URL(String(back.headers['location'])).searchParams.get('redirectResult') ?? ''
    await simulator.settle()
    expect(webhooksAbout(reference)).toEqual([])
    expect((await details(`${redirectResult}x`)).status).toBe(422)
    expect((await details(redirectResult)).json()).toMatchObject({ resultCode: 'Authorised' })
    expect((await details(redirectResult)).json()).toMatchObject({ resultCode: 'Authorised' })
    expect(webhooksAbout(reference)).toHaveLength(1)
  })

  test('a refused card leaves a payment link open', async () => {
    const reference = randomUUID()
    const { paymentMethod: _card, ...body } = payment(reference)
    const link = (await post('/v72/paymentLinks', body)).json() as { id: string; url: string } // as asked
    await decide(link.url, 'decline')
    expect(webhooksAbout(reference)[0]?.body).toContain('"success":"false"')
    expect((await get(`/v72/paymentLinks/${link.id}`)).json()).toMatchObject({ status: 'active' })
    await decide(link.url, 'pay')
    await simulator.settle()
    expect((await get(`/v72/paymentLinks/${link.id}`)).json()).toMatchObject({ status: 'completed' })
  })

  test('a refund after a chargeback is accepted and refused by webhook', async () => {
    const { pspReference } = read(await post('/v72/payments', payment(randomUUID())))
    const { id } = await simulator.dispute('adyen', { reference: String(pspReference) })
    await simulator.dispute('adyen', { id, action: 'withdraw' })
    const reference = randomUUID()
    const amount = { currency: 'EUR', value: 100 }
    await post(`/v72/payments/${String(pspReference)}/refunds`, { merchantAccount, reference, amount })
    await simulator.settle({ all: true })
    expect(webhooksAbout(reference).at(-1)?.body).toContain('"success":"false"')
    await expect(simulator.refund('adyen', { reference: String(pspReference) })).rejects.toThrow(
      'adyen cannot refund',
    )
  })

  test('a refund of more than the remaining amount is accepted and refused by webhook', async () => {
    const { pspReference } = read(await post('/v72/payments', payment(randomUUID())))
    const refund = (value: number, reference: string) =>
      post(`/v72/payments/${String(pspReference)}/refunds`, {
        amount: { currency: 'EUR', value },
        merchantAccount,
        reference,
      })
    const [part, tooMuch] = [randomUUID(), randomUUID()]
    expect((await refund(600, part)).json()).toMatchObject({ status: 'received' })
    expect((await refund(600, tooMuch)).json()).toMatchObject({ status: 'received' })
    await simulator.settle()
    expect(webhooksAbout(part)[0]?.body).toContain('"success":"true"')
    expect(webhooksAbout(tooMuch)[0]?.body).toContain('"success":"false"')
  })
})

describe('refusals', () => {
  test('an unknown key, another merchant account, an invalid card number', async () => {
    const body = payment(randomUUID())
    expect((await post('/v72/payments', body, randomUUID(), 'AQE-nobody')).status).toBe(401)
    expect((await post('/v72/payments', { ...body, merchantAccount: 'Other' })).status).toBe(403)
    const invalid = await post('/v72/payments', payment(randomUUID(), { card: { number: '12' } }))
    expect([invalid.status, invalid.json()]).toMatchObject([422, { errorCode: '101' }])
  })

  test('the key of Checkout does not work for transfers', async () => {
    expect((await get('/btl/v4/transfers/3J1')).status).toBe(401)
    expect((await get('/btl/v4/transfers/3J1', secrets['transfers_api_key'])).status).toBe(422)
  })
})

test('a transfer is found by reference and time, and its webhook is signed as a whole', async () => {
  const reference = randomUUID()
  const transfer = {
    amount: { currency: 'EUR', value: 1000 },
    balanceAccountId: 'BA3227C223222B5CTBLR8BWJB',
    category: 'bank',
    counterparty: {
      bankAccount: {
        accountHolder: { fullName: 'Edsger' },
        accountIdentification: { type: 'iban', iban: 'NL91ABNA0417164300' },
      },
    },
    reference,
  }
  const apiKey = secrets['transfers_api_key']
  expect((await post('/btl/v4/transfers', transfer, reference, apiKey)).json()).toMatchObject({
    status: 'authorised',
  })
  const window = `createdSince=2020-01-01T00:00:00Z&createdUntil=2100-01-01T00:00:00Z&reference=${reference}`
  expect((await get(`/btl/v4/transfers?${window}`, apiKey)).json()).toMatchObject({ data: [{ reference }] })
  await simulator.settle()
  const [webhook] = webhooksAbout(reference)
  const key = Buffer.from(secrets['transfers_hmac_key'] ?? '', 'hex')
  const signature = createHmac('sha256', key)
    .update(webhook?.body ?? '')
    .digest('base64')
  expect(webhook?.headers['hmacsignature']).toBe(signature)
  expect(webhook?.body).toContain('"status":"booked"')
})
