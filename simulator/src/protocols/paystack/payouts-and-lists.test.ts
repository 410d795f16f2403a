import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
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
  readonly data: { readonly id: number }
}

async function paidCharge(amount = 15_000): Promise<string> {
  const reference = randomUUID()
  await client.charge({ reference, amount })
  await simulator.settle({ reference })
  return reference
}

describe('a transfer', () => {
  test('is sent to its recipient, and the same account has one recipient', async () => {
    const reference = randomUUID()
    expect(await client.recipient()).toBe(await client.recipient())
    const answer = await client.transfer({ reference })
    expect(answer.json()).toMatchObject({
      status: true,
      data: { status: 'pending', reference, transfer_code: expect.stringMatching(/^TRF_\w{15}$/) },
    })
    await simulator.settle({ reference })
    expect((await client.verifyTransfer(reference)).json()).toMatchObject({
      data: { status: 'success', recipient: { details: { account_number: '0123456789', bank_code: '058' } } },
    })
    expect(eventsAbout(reference)).toEqual(['transfer.success'])
  })

  test('waits for the merchant’s password if it is required', async () => {
    const reference = randomUUID()
    const answer = await client.transfer({ reference, amount: 15_015 })
    const { transfer_code } = (answer.json() as { data: { transfer_code: string } }).data
    expect(answer.json()).toMatchObject({ data: { status: 'otp' } })
    const resent = await client.post('/transfer/resend_otp', { transfer_code, reason: 'resend_otp' })
    expect(resent.status).toBe(200)
    const finalize = (otp: string) => client.post('/transfer/finalize_transfer', { transfer_code, otp })
    expect((await finalize('000000')).status).toBe(400)
    expect((await finalize('123456')).json()).toMatchObject({ data: { status: 'pending' } })
    await simulator.settle({ reference })
    expect((await client.verifyTransfer(reference)).json()).toMatchObject({ data: { status: 'success' } })
  })

  test.each([
    ['mobile_money', 'MTN', 'GHS', '0551234987'],
    ['mobile_money', 'MPESA', 'KES', '254710000000'],
    ['mobile_money_business', 'MPTILL', 'KES', '247247'],
    ['ghipss', '040100', 'GHS', '1234567890123'],
    ['kepss', '68', 'KES', '0123456789'],
    ['basa', '250655', 'ZAR', '62000000000'],
  ])('recipients of type %s', async (type, bankCode, currency, accountNumber) => {
    const body = { type, name: 'A', bank_code: bankCode, currency, account_number: accountNumber }
    expect((await client.post('/transferrecipient', body)).status).toBe(201)
  })
})

describe('a refund', () => {
  test('of a part and then of the rest reverses the transaction', async () => {
    const transaction = await paidCharge()
    const part = await client.post('/refund', { transaction, amount: 5_000, merchant_note: 'note-1' })
    const { id } = (part.json() as TransactionAnswer).data
    expect(part.json()).toMatchObject({ data: { status: 'pending', amount: 5_000, merchant_note: 'note-1' } })
    await client.post('/refund', { transaction })
    await simulator.settle()
    expect((await client.call(`/refund/${id}`)).json()).toMatchObject({
      data: { status: 'processed', transaction_reference: transaction, refund_type: 'partial' },
    })
    expect(eventsAbout(`"transaction_reference":"${transaction}"`)).toEqual([
      'refund.processed',
      'refund.processed',
    ])
    expect((await client.verify(transaction)).json()).toMatchObject({ data: { status: 'reversed' } })
    expect((await client.post('/refund', { transaction })).json()).toMatchObject({
      code: 'transaction_reversed',
    })
  })

  test('is not idempotent: a repeated request is a second refund', async () => {
    const transaction = await paidCharge()
    const refund = () => client.post('/refund', { transaction, amount: 100, merchant_note: 'note-2' })
    const ids = [await refund(), await refund()].map((answer) => (answer.json() as TransactionAnswer).data.id)
    expect(new Set(ids).size).toBe(2)
    const listed = await client.call('/refund?perPage=2')
    expect(listed.json()).toMatchObject({ data: [{ id: ids[1] }, { id: ids[0] }] })
  })

  test('of more than was paid or of an unpaid transaction is refused', async () => {
    const transaction = await paidCharge()
    const open = randomUUID()
    await client.charge({ reference: open })
    const tooMuch = await client.post('/refund', { transaction, amount: 15_001 })
    const tooEarly = await client.post('/refund', { transaction: open })
    expect([tooMuch.status, tooEarly.status]).toEqual([400, 400])
  })
})

describe('lists', () => {
  test('transactions and transfers, newest first, in pages and from a date', async () => {
    const from = new Date().toISOString()
    const references = [randomUUID(), randomUUID(), randomUUID()]
    for (const reference of references) await client.charge({ reference })
    await client.transfer({ reference: references[0]! })
    const page = (number: number) =>
      client.call(`/transaction?from=${encodeURIComponent(from)}&per_page=2&page=${number}`)
    expect((await page(1)).json()).toMatchObject({
      data: [{ reference: references[2] }, { reference: references[1] }],
      meta: { total: 3, page: 1, pageCount: 2, perPage: 2 },
    })
    expect((await page(2)).json()).toMatchObject({ data: [{ reference: references[0] }] })
    expect((await client.call(`/transfer?from=${encodeURIComponent(from)}`)).json()).toMatchObject({
      data: [{ reference: references[0], status: 'pending' }],
      meta: { total: 1 },
    })
    expect((await client.call('/transaction?from=yesterday')).status).toBe(400)
  })

  test.each([
    ['?country=nigeria&type=nuban', ['044', '058', '057']],
    ['?country=ghana&type=mobile_money', ['MTN', 'ATL', 'VOD']],
    ['?country=ghana&type=ghipps', ['040100']],
    ['?country=kenya&type=mobile_money', ['MPESA']],
    ['?currency=ZAR', ['470010']],
  ])('banks%s', async (query, codes) => {
    const answer = (await client.call(`/bank${query}`)).json() as { data: { code: string }[] }
    expect(answer.data.map((bank) => bank.code)).toEqual(expect.arrayContaining(codes))
  })

  test('an account number resolves to a name, unless it ends in 26', async () => {
    const resolve = (number: string) => client.call(`/bank/resolve?account_number=${number}&bank_code=058`)
    expect((await resolve('0123456789')).json()).toMatchObject({
      data: { account_number: '0123456789', account_name: 'SANDBOX HOLDER 6789' },
    })
    expect((await resolve('0123456726')).status).toBe(422)
  })
})

describe('references', () => {
  test('a duplicate is refused for transactions', async () => {
    const reference = randomUUID()
    await client.initialize({ reference })
    for (const again of [await client.initialize({ reference }), await client.charge({ reference })]) {
      expect(again.status).toBe(400)
      expect(again.json()).toEqual({
        status: false,
        message: 'Duplicate Transaction Reference',
        meta: { nextStep: 'Try and create the Transaction or Charge with a new reference' },
        type: 'validation_error',
        code: 'duplicate_reference',
      })
    }
    expect(simulator.log({ reference })).toHaveLength(1)
  })

  test('a duplicate returns the same transfer, also for concurrent calls', async () => {
    const reference = randomUUID()
    const answers = await Promise.all([client.transfer({ reference }), client.transfer({ reference })])
    const codes = answers.map(
      (answer) => (answer.json() as { data: { transfer_code: string } }).data.transfer_code,
    )
    expect(codes[0]).toBe(codes[1])
    expect(simulator.log({ reference })).toHaveLength(1)
  })
})
