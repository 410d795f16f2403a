import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { createPawapayClient, type PawapayClient } from '../../testing/pawapay-client.ts'

let simulator: Simulator
let client: PawapayClient

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 10 })
  client = createPawapayClient(simulator)
})
afterAll(() => simulator.stop())

function rejectedWith(failureCode: string) {
  return { status: 'REJECTED', failureReason: { failureCode } }
}

describe('200', () => {
  test('a deposit shows all fields, and its callback all but the client reference', async () => {
    const id = randomUUID()
    const more = {
      clientReferenceId: 'INV-1',
      customerMessage: 'Order 12345',
      metadata: [{ orderId: 'ORD-1' }, { customer: 'a@b.test', isPII: true }],
    }
    expect((await client.deposit({ id, amount: '15.5', more })).json()).toMatchObject({
      depositId: id,
      status: 'ACCEPTED',
      nextStep: 'FINAL_STATUS',
    })
    await simulator.settle({ reference: id })
    expect((await client.find('deposits', id)).json()).toMatchObject({
      status: 'FOUND',
      data: {
        depositId: id,
        status: 'COMPLETED',
        amount: '15.50',
        currency: 'GHS',
        country: 'GHA',
        clientReferenceId: 'INV-1',
        metadata: { orderId: 'ORD-1', customer: 'a@b.test' },
      },
    })
    const callback = simulator.webhooks('pawapay').find((webhook) => webhook.reference === id)
    expect(callback?.body).not.toContain('INV-1')
  })

  test('a payout completes', async () => {
    const id = randomUUID()
    expect((await client.payout({ id })).json()).toMatchObject({ payoutId: id, status: 'ACCEPTED' })
    await simulator.settle({ reference: id })
    expect((await client.find('payouts', id)).json()).toMatchObject({
      data: { status: 'COMPLETED', recipient: { accountDetails: { provider: 'MTN_MOMO_GHA' } } },
    })
  })

  test('a bulk request is answered item by item', async () => {
    const recipient = {
      type: 'MMO',
      accountDetails: { phoneNumber: '233593456789', provider: 'MTN_MOMO_GHA' },
    }
    const good = { payoutId: randomUUID(), amount: '5', currency: 'GHS', recipient }
    const bad = { ...good, payoutId: randomUUID(), currency: 'UGX' }
    const answer = await client.call('/v2/payouts/bulk', { method: 'POST', body: [good, bad, good] })
    expect(answer.json()).toMatchObject([
      { status: 'ACCEPTED' },
      rejectedWith('INVALID_CURRENCY'),
      { status: 'DUPLICATE_IGNORED' },
    ])
  })

  test('a payment that does not match the network is rejected and not accepted', async () => {
    const before = simulator.log().length
    const attempts = [
      [{ provider: 'AIRTEL_UGA' }, 'INVALID_PROVIDER'],
      [{ currency: 'KES' }, 'INVALID_CURRENCY'],
      [{ phoneNumber: '256783456789' }, 'INVALID_PHONE_NUMBER'],
      [{ phoneNumber: '+233593456789' }, 'INVALID_PHONE_NUMBER'],
      [{ amount: '10.50' }, 'INVALID_AMOUNT'],
      [{ amount: '10.505' }, 'INVALID_AMOUNT'],
      [{ amount: '100000000' }, 'AMOUNT_OUT_OF_BOUNDS'],
      [{ amount: '0.5' }, 'AMOUNT_OUT_OF_BOUNDS'],
      [
        { amount: '10.5', currency: 'KES', provider: 'MPESA_KEN', phoneNumber: '254703456789' },
        'INVALID_AMOUNT',
      ],
    ] as const
    for (const [input, code] of attempts) {
      expect((await client.deposit(input)).json()).toMatchObject(rejectedWith(code))
    }
    expect(simulator.log()).toHaveLength(before)
  })

  test('a closed network rejects; a delayed one queues payouts, which can be canceled', async () => {
    simulator.configure('pawapay', { options: { TNM_MWI: 'CLOSED', AIRTEL_MWI: 'DELAYED' } })
    const terms = { currency: 'MWK', amount: '500' }
    const closed = { ...terms, provider: 'TNM_MWI', phoneNumber: '265883456789' }
    const delayed = { ...terms, provider: 'AIRTEL_MWI', phoneNumber: '265993456789' }
    const [canceled, settled] = [randomUUID(), randomUUID()]
    expect((await client.payout(closed)).json()).toMatchObject(
      rejectedWith('PROVIDER_TEMPORARILY_UNAVAILABLE'),
    )
    expect((await client.deposit(delayed)).json()).toMatchObject(
      rejectedWith('PROVIDER_TEMPORARILY_UNAVAILABLE'),
    )
    await client.payout({ ...delayed, id: canceled })
    await client.payout({ ...delayed, id: settled })
    expect((await client.find('payouts', canceled)).json()).toMatchObject({ data: { status: 'ENQUEUED' } })

    const cancel = () => client.call(`/v2/payouts/fail-enqueued/${canceled}`, { method: 'POST' })
    expect((await cancel()).json()).toEqual({ payoutId: canceled, status: 'ACCEPTED' })
    await expect
      .poll(async () => (await client.find('payouts', canceled)).json())
      .toMatchObject({ data: { status: 'FAILED', failureReason: { failureCode: 'MANUALLY_CANCELLED' } } })
    expect((await cancel()).json()).toMatchObject(rejectedWith('INVALID_STATE'))
    await simulator.settle({ reference: settled })
    expect((await client.find('payouts', settled)).json()).toMatchObject({ data: { status: 'COMPLETED' } })
  })

  test('a prediction normalizes the phone number', async () => {
    const body = { phoneNumber: '+256 0783-456 789' }
    expect((await client.call('/v2/predict-provider', { method: 'POST', body })).json()).toEqual({
      country: 'UGA',
      provider: 'MTN_MOMO_UGA',
      phoneNumber: '256783456789',
    })
  })

  test('active-conf and availability can be narrowed', async () => {
    const conf = await client.call('/v2/active-conf?country=KEN&operationType=DEPOSIT')
    expect(conf.json()).toMatchObject({
      signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
      countries: [
        {
          country: 'KEN',
          providers: [
            {
              provider: 'MPESA_KEN',
              currencies: [
                {
                  currency: 'KES',
                  operationTypes: { DEPOSIT: { authType: 'PROVIDER_AUTH', decimalsInAmount: 'NONE' } },
                },
              ],
            },
          ],
        },
      ],
    })
    const availability = await client.call('/v2/availability?country=KEN&operationType=PAYOUT')
    expect(availability.json()).toEqual([
      {
        country: 'KEN',
        providers: [
          { provider: 'MPESA_KEN', operationTypes: [{ operationType: 'PAYOUT', status: 'OPERATIONAL' }] },
        ],
      },
    ])
  })

  test('the wallet grows with deposits and shrinks with payouts', async () => {
    const balance = async () => {
      const answer = await client.call('/v2/wallet-balances?country=RWA')
      return Number((answer.json() as { balances: { balance: string }[] }).balances[0]!.balance)
    }
    const before = await balance()
    const terms = { currency: 'RWF', provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' }
    await client.deposit({ ...terms, amount: '300' })
    await client.payout({ ...terms, amount: '100' })
    await expect.poll(balance).toBe(before + 200)
  })
})

describe('400', () => {
  test.each([
    ['no JSON', 'not json', 'INVALID_INPUT'],
    ['a missing field', { depositId: randomUUID() }, 'MISSING_PARAMETER'],
  ])('%s', async (_case, body, failureCode) => {
    const answer = await client.call('/v2/deposits', { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ failureReason: { failureCode } })
  })

  test.each([
    ['an unknown field', { surprise: 1 }, 'UNSUPPORTED_PARAMETER'],
    [
      'a reference that is no UUIDv4',
      { depositId: '019a2b3c-0000-7000-8000-000000000000' },
      'INVALID_PARAMETER',
    ],
    ['a message that is too long', { customerMessage: 'x'.repeat(23) }, 'INVALID_PARAMETER'],
    ['the same metadata twice', { metadata: [{ a: 1 }, { a: 2 }] }, 'DUPLICATE_METADATA_FIELD'],
  ])('%s', async (_case, more, failureCode) => {
    const answer = await client.deposit({ more })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ failureReason: { failureCode } })
  })
})

describe('401 and 403', () => {
  test('no token is 401, a wrong one 403', async () => {
    const url = `${simulator.url}/pawapay/v2/active-conf`
    const missing = await http(url)
    expect([missing.status, missing.json()]).toMatchObject([
      401,
      { failureReason: { failureCode: 'NO_AUTHENTICATION' } },
    ])
    const wrong = await http(url, { headers: { authorization: 'Bearer guess' } })
    expect([wrong.status, wrong.json()]).toMatchObject([
      403,
      { failureReason: { failureCode: 'AUTHENTICATION_ERROR' } },
    ])
  })
})
