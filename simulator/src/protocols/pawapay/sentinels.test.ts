import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { createPawapayClient, type PawapayClient, type PaymentInput } from '../../testing/pawapay-client.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'

/** Long enough for a busy machine to accept the request. */
const SHORT_MS = 1_000

let simulator: Simulator
let receiver: Receiver
let client: PawapayClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 10, webhookRetryDelaysMs: [] })
  simulator.configure('pawapay', { webhook_url: receiver.url })
  client = createPawapayClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

/** Sentinels in the cents, or in the last two digits of a phone number for currencies without cents. */
const WAYS: readonly (readonly [way: string, input: (digits: string) => PaymentInput])[] = [
  ['in the cents', (digits) => ({ amount: `10.${digits}`.replace(/0$/, '') })],
  [
    'in the phone number',
    (digits) => ({
      currency: 'UGX',
      amount: '5000',
      provider: 'AIRTEL_OAPI_UGA',
      phoneNumber: `2567534562${digits}`,
    }),
  ],
]

function acceptances(reference: string): number {
  return simulator.log({ reference }).length
}

function callbacksOf(reference: string): string[] {
  return receiver
    .received()
    .map((webhook) => JSON.parse(webhook.body) as { depositId?: string; payoutId?: string; status: string })
    .filter((body) => body.depositId === reference || body.payoutId === reference)
    .map((body) => body.status)
}

async function expectStatus(id: string, status: string, failureCode?: string): Promise<void> {
  const data = failureCode === undefined ? { status } : { status, failureReason: { failureCode } }
  await expect.poll(async () => (await client.find('deposits', id)).json()).toMatchObject({ data })
}

describe.each(WAYS)('a sentinel %s', (_way, inputOf) => {
  test('11 is rejected immediately as temporarily unavailable', async () => {
    const id = randomUUID()
    expect((await client.deposit({ id, ...inputOf('11') })).json()).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'PROVIDER_TEMPORARILY_UNAVAILABLE' },
    })
    expect(acceptances(id)).toBe(0)
    expect((await client.find('deposits', id)).json()).toEqual({ status: 'NOT_FOUND' })
  })

  test('12 is accepted and fails for insufficient funds; a payout is rejected immediately', async () => {
    const [id, payoutId] = [randomUUID(), randomUUID()]
    expect((await client.deposit({ id, ...inputOf('12') })).json()).toMatchObject({ status: 'ACCEPTED' })
    await expectStatus(id, 'FAILED', 'INSUFFICIENT_BALANCE')
    expect((await client.payout({ id: payoutId, ...inputOf('12') })).json()).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'PAWAPAY_WALLET_OUT_OF_FUNDS' },
    })
    expect(acceptances(payoutId)).toBe(0)
  })

  test('13 stays pending', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('13') })
    await simulator.settle({ reference: id, all: true })
    await expectStatus(id, 'PROCESSING')
    expect(callbacksOf(id)).toEqual([])
  })

  test('14 is pending, then fails', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('14') })
    await expectStatus(id, 'FAILED', 'PAYMENT_NOT_APPROVED')
    await expect.poll(() => callbacksOf(id)).toEqual(['FAILED'])
  })

  test('15 succeeds, because pawaPay asks for no password after the call', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('15') })
    await expectStatus(id, 'COMPLETED')
  })

  test.each([
    ['16', 1],
    ['17', 0],
  ])('%s never answers and accepts %i', async (digits, accepted) => {
    const id = randomUUID()
    await expect(client.deposit({ id, ...inputOf(digits), timeoutMs: SHORT_MS })).rejects.toThrow('timeout')
    expect(acceptances(id)).toBe(accepted)
  })

  test.each([
    ['18', 500, 1],
    ['20', 200, 1],
    ['21', 500, 0],
    ['27', 429, 0],
  ])('%s answers %i and accepts %i', async (digits, status, accepted) => {
    const id = randomUUID()
    expect((await client.deposit({ id, ...inputOf(digits) })).status).toBe(status)
    expect(acceptances(id)).toBe(accepted)
  })

  test.each([
    ['19', 1],
    ['28', 0],
  ])('%s breaks the connection and accepts %i', async (digits, accepted) => {
    const id = randomUUID()
    await expect(client.deposit({ id, ...inputOf(digits) })).rejects.toThrow(/closed|terminated|aborted/)
    expect(acceptances(id)).toBe(accepted)
  })

  test('after a lost answer a repeat is a duplicate', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('18') })
    expect((await client.deposit({ id, ...inputOf('18') })).json()).toMatchObject({
      status: 'DUPLICATE_IGNORED',
    })
    expect(acceptances(id)).toBe(1)
  })

  test('22 completes without a webhook', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('22') })
    await expectStatus(id, 'COMPLETED')
    expect(callbacksOf(id)).toEqual([])
  })

  test('23 sends the webhook twice', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('23') })
    await expect.poll(() => callbacksOf(id)).toEqual(['COMPLETED', 'COMPLETED'])
  })

  test('24 sends the webhook before the answer', async () => {
    const id = randomUUID()
    expect((await client.deposit({ id, ...inputOf('24') })).json()).toMatchObject({ status: 'ACCEPTED' })
    expect(callbacksOf(id)).toEqual(['COMPLETED'])
  })

  test('25 completes and is reversed', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('25') })
    await expect.poll(() => callbacksOf(id)).toEqual(['COMPLETED', 'FAILED'])
  })

  test('26 is accepted and fails for good', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('26') })
    await expectStatus(id, 'FAILED', 'PAYER_NOT_FOUND')
  })

  test('29 fails, then succeeds later', async () => {
    const id = randomUUID()
    await client.deposit({ id, ...inputOf('29') })
    await expect.poll(() => callbacksOf(id)).toEqual(['FAILED', 'COMPLETED'])
    await expectStatus(id, 'COMPLETED')
  })
})

describe("pawaPay's own test numbers", () => {
  test.each([
    ['019', 'PAYER_LIMIT_REACHED'],
    ['029', 'PAYER_NOT_FOUND'],
    ['039', 'PAYMENT_NOT_APPROVED'],
    ['049', 'INSUFFICIENT_BALANCE'],
    ['069', 'UNSPECIFIED_FAILURE'],
  ])('a deposit from …%s fails with %s', async (suffix, code) => {
    const id = randomUUID()
    await client.deposit({ id, phoneNumber: `233593456${suffix}` })
    await expectStatus(id, 'FAILED', code)
  })

  test.each([
    ['089', 'RECIPIENT_NOT_FOUND'],
    ['099', 'WALLET_LIMIT_REACHED'],
    ['109', 'RECIPIENT_LIMIT_REACHED'],
    ['119', 'UNSPECIFIED_FAILURE'],
  ])('a payout to …%s fails with %s', async (suffix, failureCode) => {
    const id = randomUUID()
    await client.payout({ id, phoneNumber: `233593456${suffix}` })
    await expect
      .poll(async () => (await client.find('payouts', id)).json())
      .toMatchObject({ data: { status: 'FAILED', failureReason: { failureCode } } })
  })

  test('…129 never finishes', async () => {
    const id = randomUUID()
    await client.deposit({ id, phoneNumber: '233593456129' })
    expect(await simulator.settle({ reference: id })).toBe(0)
    await expectStatus(id, 'SUBMITTED')
  })

  test.each([
    ['256783456789', 'MTN_MOMO_UGA', 'UGX'],
    ['256753456789', 'AIRTEL_OAPI_UGA', 'UGX'],
    ['254703456789', 'MPESA_KEN', 'KES'],
    ['233593456789', 'MTN_MOMO_GHA', 'GHS'],
    ['233273456789', 'AIRTELTIGO_GHA', 'GHS'],
    ['233503456789', 'VODAFONE_GHA', 'GHS'],
    ['2348134567899', 'MTN_MOMO_NGA', 'NGN'],
    ['2349034567899', 'AIRTEL_NGA', 'NGN'],
    ['22602345678', 'MOOV_BFA', 'XOF'],
  ])('%s at %s succeeds and is predicted', async (phoneNumber, provider, currency) => {
    const id = randomUUID()
    await client.deposit({ id, phoneNumber, provider, currency, amount: '500' })
    await expectStatus(id, 'COMPLETED')
    const predicted = await client.call('/v2/predict-provider', { method: 'POST', body: { phoneNumber } })
    expect(predicted.json()).toMatchObject({ provider, phoneNumber })
  })
})
