import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { createFlutterwaveClient, type FlutterwaveClient } from './testing/flutterwave-client.ts'

let simulator: Simulator
let receiver: Receiver
let client: FlutterwaveClient

beforeAll(async () => {
  receiver = await startReceiver()
  // With a delay of a day, no transaction advances until a test settles it.
  simulator = await startSimulator({ delayMs: 86_400_000, webhookRetryDelaysMs: [] })
  simulator.configure('flutterwave', { webhook_url: receiver.url })
  client = createFlutterwaveClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

interface Answered {
  readonly data: { readonly id: number; readonly flw_ref: string; readonly link: string }
  readonly meta: { readonly authorization: { readonly redirect: string } }
}

const decide = (page: string, decision: string) =>
  http(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `decision=${decision}`,
  })
const statusOf = async (reference: string) => (await client.verify(reference)).json()
const webhooksAbout = (text: string) => receiver.received().filter(({ body }) => body.includes(text))

describe('mobile money', () => {
  test('Ghana answers with a page and without data, and the webhook has the static hash', async () => {
    const reference = randomUUID()
    const answer = await client.charge('mobile_money_ghana', {
      tx_ref: reference,
      redirect_url: 'https://shop.test/',
    })
    expect(answer.json()).toEqual({
      status: 'success',
      message: 'Charge initiated',
      meta: { authorization: { mode: 'redirect', redirect: expect.stringContaining('/hosted/pay/') } },
    })
    const paid = await decide((answer.json() as Answered).meta.authorization.redirect, 'pay')
    expect(paid.headers['location']).toMatch(
      new RegExp(`^https://shop.test/\\?status=successful&tx_ref=${reference}&transaction_id=\\d+$`),
    )
    expect(await statusOf(reference)).toMatchObject({ data: { status: 'successful', amount: 150 } })
    const [webhook, ...more] = webhooksAbout(reference)
    expect(more).toEqual([])
    expect(webhook?.headers['verif-hash']).toBe('flutterwave-sandbox-hash')
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({
      event: 'charge.completed',
      data: { tx_ref: reference, status: 'successful' },
    })
  })

  test('M-PESA prompts the phone and completes after the delay', async () => {
    const reference = randomUUID()
    const input = { tx_ref: reference, currency: 'KES', phone_number: '254710000000' }
    expect((await client.charge('mpesa', input)).json()).toMatchObject({
      data: { status: 'pending', auth_model: 'LIPA_MPESA', tx_ref: reference },
    })
    await simulator.settle({ reference })
    expect(await statusOf(reference)).toMatchObject({ data: { status: 'successful' } })
  })

  test.each([
    ['mobile_money_ghana', { network: 'ZAMTEL' }, 'network must be one of'],
    ['mobile_money_ghana', { currency: 'KES' }, 'currency is not supported'],
    ['mobile_money_ghana', { phone_number: '12' }, 'phone_number is invalid'],
    ['mobile_money_ghana', { email: 'nobody' }, 'email'],
    ['mobile_money_mars', {}, 'type is invalid'],
  ])('%s with %j is refused: %s', async (type, input, message) => {
    const answer = await client.charge(type, input)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      status: 'error',
      message: expect.stringContaining(message),
      data: null,
    })
  })

  test('a reference is accepted once', async () => {
    const tx_ref = randomUUID()
    await client.charge('mobile_money_ghana', { tx_ref })
    const again = await client.charge('mobile_money_ghana', { tx_ref })
    expect(again.status).toBe(400)
    expect(simulator.log({ reference: tx_ref })).toHaveLength(1)
  })
})

describe('cards', () => {
  test('a card asks for the PIN and then for the password', async () => {
    const tx_ref = randomUUID()
    const card = { tx_ref, card_number: '5531886652142950' }
    expect((await client.chargeCard(card)).json()).toMatchObject({
      meta: { authorization: { mode: 'pin', fields: ['pin'] } },
    })
    expect(simulator.log({ reference: tx_ref })).toEqual([])
    expect(await statusOf(tx_ref)).toMatchObject({ status: 'error' })
    const answer = await client.chargeCard({ ...card, authorization: { mode: 'pin', pin: '3310' } })
    expect(answer.json()).toMatchObject({
      meta: { authorization: { mode: 'otp' } },
      data: { status: 'pending' },
    })
    const { flw_ref } = (answer.json() as Answered).data
    expect((await client.post('/validate-charge', { otp: '99999', flw_ref })).status).toBe(400)
    expect((await client.post('/validate-charge', { otp: '12345', flw_ref })).json()).toMatchObject({
      message: 'Charge validated',
      data: { status: 'successful', card: { first_6digits: '553188', last_4digits: '2950' } },
    })
  })

  test('a payload that is encrypted with another key is refused', async () => {
    const answer = await client.chargeCard({ card_number: '5531886652142950' }, 'A'.repeat(24))
    expect(answer.status).toBe(400)
  })

  test('no list, webhook or transaction contains a card number', async () => {
    const tx_ref = randomUUID()
    await client.chargeCard({ tx_ref, card_number: '5061460166976054667' })
    await simulator.settle({ reference: tx_ref })
    const shown = await http(`${simulator.url}/flutterwave/_transactions`)
    expect(shown.text).toContain(tx_ref)
    for (const text of [shown.text, ...receiver.received().map(({ body }) => body)])
      expect(text).not.toContain('5061460166976054667')
  })

  test('a hosted page has no transaction until the customer tries to pay', async () => {
    const tx_ref = randomUUID()
    const customer = { email: 'payer@example.com' }
    const input = { tx_ref, amount: '150.00', currency: 'NGN', redirect_url: 'https://shop.test/', customer }
    const { link } = ((await client.post('/payments', input)).json() as Answered).data
    const missing = await client.verify(tx_ref)
    expect([missing.status, missing.json()]).toEqual([
      400,
      { status: 'error', message: 'No transaction was found for this id', data: null },
    ])
    expect((await decide(link, 'cancel')).headers['location']).toContain('status=cancelled')
    expect((await client.verify(tx_ref)).status).toBe(400)
    await decide(link, 'decline')
    expect(await statusOf(tx_ref)).toMatchObject({ data: { status: 'failed' } })
  })
})

describe('transfers', () => {
  test('a transfer is NEW, then SUCCESSFUL, and is found by id and by reference', async () => {
    const reference = randomUUID()
    const answer = await client.transfer({ reference })
    expect(answer.json()).toMatchObject({ data: { status: 'NEW', reference } })
    await simulator.settle({ reference })
    const { id } = (answer.json() as Answered).data
    expect((await client.get(`/transfers/${id}`)).json()).toMatchObject({ data: { status: 'SUCCESSFUL' } })
    expect((await client.get(`/transfers?reference=${reference}`)).json()).toMatchObject({
      data: [{ id, complete_message: 'Transaction was successful' }],
      meta: { page_info: { total: 1, total_pages: 1 } },
    })
  })

  test.each([
    ['_PMCK', 'SUCCESSFUL'],
    ['_PMCK_ST_FDU_1', 'FAILED'],
  ])('a transfer with the reference suffix %s is %s', async (ending, status) => {
    const reference = `${randomUUID()}${ending}`
    await client.transfer({ reference })
    await simulator.settle({ reference })
    expect((await client.get(`/transfers?reference=${reference}`)).json()).toMatchObject({
      data: [{ status }],
    })
  })

  test.each([
    [{ account_bank: 'MPS', currency: 'KES' }, 'beneficiary_name is required'],
    [{ account_bank: 'GH280100', currency: 'GHS' }, 'destination_branch_code is required'],
    [{ account_bank: 'XX' }, 'account_bank is invalid'],
  ])('%j is refused: %s', async (input, message) => {
    const answer = await client.transfer(input)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ message: expect.stringContaining(message) })
  })

  test('a transfer without funds is accepted and fails later', async () => {
    const reference = randomUUID()
    await client.transfer({ reference, amount: 10.12 })
    await simulator.settle({ reference })
    expect((await client.get(`/transfers?reference=${reference}`)).json()).toMatchObject({
      data: [{ status: 'FAILED', complete_message: expect.stringContaining('Insufficient funds') }],
    })
  })
})

describe('refunds', () => {
  test('a repeated refund is a second refund, up to the paid amount', async () => {
    const tx_ref = randomUUID()
    await client.chargeCard({ tx_ref, card_number: '5061460166976054667' })
    await simulator.settle({ reference: tx_ref })
    const { id } = ((await client.verify(tx_ref)).json() as Answered).data
    const refund = () => client.post(`/transactions/${id}/refund`, { amount: 60, comments: 'twice' })
    expect((await refund()).status).toBe(200)
    expect((await refund()).status).toBe(200)
    expect((await refund()).status).toBe(400)
    expect((await client.get(`/refunds?id=${id}`)).json()).toMatchObject({
      data: [
        { amount_refunded: 60, comment: 'twice' },
        { amount_refunded: 60, comment: 'twice' },
      ],
    })
  })
})

describe('credentials', () => {
  test('an unknown key is refused', async () => {
    const stranger = createFlutterwaveClient(simulator, 'FLWSECK_TEST-of-nobody')
    expect((await stranger.verify('x')).status).toBe(401)
  })

  test('a forged webhook has another hash', async () => {
    const reference = randomUUID()
    await client.transfer({ reference })
    await simulator.settle({ reference })
    await http(`${simulator.url}/flutterwave/_webhooks/send`, {
      method: 'POST',
      body: { reference, forge: true },
    })
    const hashes = webhooksAbout(reference).map(({ headers }) => headers['verif-hash'])
    expect(hashes).toEqual(['flutterwave-sandbox-hash', 'forged-secret_hash'])
  })
})
