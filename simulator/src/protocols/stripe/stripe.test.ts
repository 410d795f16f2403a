import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { createStripeClient, idOf, STRIPE_KEY, type StripeClient } from './testing/stripe-client.ts'

let simulator: Simulator
let client: StripeClient

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 5 })
  client = createStripeClient(simulator)
})
afterAll(() => simulator.stop())

async function statusOf(path: string): Promise<unknown> {
  const body = (await client.get(path)).json() as { status: string }
  return body.status
}

describe('200', () => {
  test('a card is charged during the call and can be looked up', async () => {
    const key = randomUUID()
    const answer = await client.payByCard({ key, more: { 'metadata[order]': '7' } })
    expect(answer.json()).toMatchObject({
      object: 'payment_intent',
      amount: 2000,
      amount_received: 2000,
      currency: 'gbp',
      metadata: { order: '7' },
      status: 'succeeded',
    })
    expect((await client.get(`/v1/payment_intents/${idOf(answer)}`)).json()).toEqual(answer.json())
    expect(simulator.log({ reference: key })).toMatchObject([
      { kind: 'charge', providerRef: idOf(answer), amount: '20.00', currency: 'GBP' },
    ])
  })

  test('a zero-decimal currency has whole units', async () => {
    const key = randomUUID()
    expect((await client.payByCard({ key, amount: '500', currency: 'jpy' })).json()).toMatchObject({
      amount: 500,
    })
    expect(simulator.log({ reference: key })).toMatchObject([{ amount: '500', currency: 'JPY' }])
  })

  test.each([
    ['gbp', 'gb_bank_transfer', 'sort_code'],
    ['eur', 'eu_bank_transfer', 'iban'],
  ])('a bank transfer in %s returns instructions', async (currency, type, address) => {
    const answer = await client.startTransfer({ currency, amount: '2013' })
    expect(answer.json()).toMatchObject({
      status: 'requires_action',
      next_action: {
        type: 'display_bank_transfer_instructions',
        display_bank_transfer_instructions: {
          amount_remaining: 2013,
          currency,
          type,
          financial_addresses: [{ type: address, [address]: { account_holder_name: 'Switchyard Sandbox' } }],
        },
      },
    })
  })

  test('a bank transfer arrives automatically, or in parts by the test helper', async () => {
    const byItself = idOf(await client.startTransfer())
    await expect.poll(() => statusOf(`/v1/payment_intents/${byItself}`)).toBe('succeeded')

    const waiting = (await client.startTransfer({ amount: '2013' })).json() as {
      id: string
      customer: string
    }
    const fund = (amount: string) =>
      client.post(`/v1/test_helpers/customers/${waiting.customer}/fund_cash_balance`, {
        amount,
        currency: 'gbp',
      })
    expect((await fund('2000')).json()).toMatchObject({ type: 'funded', net_amount: 2000, ending_balance: 0 })
    expect((await client.get(`/v1/payment_intents/${waiting.id}`)).json()).toMatchObject({
      status: 'requires_action',
      amount_received: 2000,
      next_action: { display_bank_transfer_instructions: { amount_remaining: 13 } },
    })
    expect((await fund('20')).json()).toMatchObject({ ending_balance: 7 })
    expect(await statusOf(`/v1/payment_intents/${waiting.id}`)).toBe('succeeded')
  })

  test('an account can disable automatic arrival', async () => {
    simulator.configure('stripe', {
      account: 'patient',
      secrets: { secret_key: 'sk_test_patient' },
      options: { bank_transfers_arrive: false },
    })
    const patient = createStripeClient(simulator, 'sk_test_patient')
    const id = idOf(await patient.startTransfer())
    expect(await simulator.settle()).toBeGreaterThanOrEqual(0)
    expect((await patient.get(`/v1/payment_intents/${id}`)).json()).toMatchObject({
      status: 'requires_action',
    })
    expect((await client.get(`/v1/payment_intents/${id}`)).status).toBe(404)
  })

  test('refunds in parts, listed by payment, never more than was paid', async () => {
    const intent = idOf(await client.payByCard({ amount: '3000' }))
    const refund = (amount: string) =>
      client.post('/v1/refunds', { payment_intent: intent, amount, 'metadata[no]': amount }, randomUUID())
    const first = await refund('1000')
    expect(first.json()).toMatchObject({ object: 'refund', amount: 1000, status: 'succeeded' })
    expect((await client.get(`/v1/refunds/${idOf(first)}`)).json()).toEqual(first.json())
    expect((await refund('2100')).json()).toMatchObject({ error: { param: 'amount' } })
    const rest = await client.post('/v1/refunds', { payment_intent: intent })
    expect(rest.json()).toMatchObject({ amount: 2000 })
    expect((await refund('100')).json()).toMatchObject({ error: { code: 'charge_already_refunded' } })
    const listed = (await client.get(`/v1/refunds?payment_intent=${intent}`)).json()
    expect(listed).toMatchObject({ has_more: false, data: [{ amount: 2000 }, { amount: 1000 }] })
  })

  test('a charge that was charged back is not refunded until the dispute is won', async () => {
    const intent = idOf(await client.payByCard())
    const refund = () => client.post('/v1/refunds', { payment_intent: intent, amount: '100' })
    const inDashboard = () => simulator.refund('stripe', { reference: intent, amount: '1.00' })
    const { id } = await simulator.dispute('stripe', { reference: intent })
    expect((await refund()).json()).toMatchObject({ error: { code: 'charge_disputed' } })
    await expect(inDashboard()).rejects.toThrow('stripe cannot refund')
    await simulator.dispute('stripe', { id, action: 'win' })
    expect((await refund()).json()).toMatchObject({ status: 'succeeded' })
    expect(await inDashboard()).toMatch(/^re_/)
  })

  test('an open payment can be canceled, a paid one not', async () => {
    const open = idOf(await client.startTransfer({ amount: '2013' }))
    expect((await client.post(`/v1/payment_intents/${open}/cancel`)).json()).toMatchObject({
      status: 'canceled',
    })
    const paid = idOf(await client.payByCard())
    const refused = await client.post(`/v1/payment_intents/${paid}/cancel`)
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { error: { code: 'payment_intent_unexpected_state', payment_intent: { status: 'succeeded' } } },
    ])
  })

  test('lists are paged, with the newest first', async () => {
    simulator.configure('stripe', { account: 'lists', secrets: { secret_key: 'sk_test_lists' } })
    const lists = createStripeClient(simulator, 'sk_test_lists')
    const made: string[] = []
    for (let index = 0; index < 3; index += 1) made.unshift(idOf(await lists.payByCard()))
    const page = (query: string) => lists.get(`/v1/payment_intents?${query}`)
    expect((await page('limit=2')).json()).toMatchObject({
      has_more: true,
      data: [{ id: made[0] }, { id: made[1] }],
    })
    expect((await page(`limit=2&starting_after=${made[1]}`)).json()).toMatchObject({
      has_more: false,
      data: [{ id: made[2] }],
    })
    expect((await page('created[gte]=99999999999')).json()).toMatchObject({ data: [] })
    expect((await page('surprise=1')).json()).toMatchObject({ error: { code: 'parameter_unknown' } })
  })

  test('search finds an intent only after the delay of its index', async () => {
    const reference = randomUUID()
    await client.payByCard({ more: { 'metadata[reference]': reference } })
    const query = encodeURIComponent(`metadata['reference']:'${reference}'`)
    const search = () => client.get(`/v1/payment_intents/search?query=${query}`)
    expect((await search()).json()).toMatchObject({ object: 'search_result', data: [] })
    simulator.configure('stripe', { options: { search_delay_ms: 0 } })
    expect((await search()).json()).toMatchObject({ data: [{ metadata: { reference } }] })
    simulator.configure('stripe', { options: { search_delay_ms: 60_000 } })
  })

  test('the key can be a user name instead of a token', async () => {
    const authorization = `Basic ${Buffer.from(`${STRIPE_KEY}:`).toString('base64')}`
    const url = `${simulator.providerUrl('stripe')}/v1/payment_intents`
    expect((await http(url, { headers: { authorization } })).status).toBe(200)
  })
})

describe('400', () => {
  test.each([
    ['no amount', { amount: '' }, 'parameter_invalid', 'amount'],
    ['an unknown parameter', { surprise: '1' }, 'parameter_unknown', 'surprise'],
    ['an unknown customer', { customer: 'cus_nobody' }, 'resource_missing', 'customer'],
  ])('%s', async (_case, more, code, param) => {
    const answer = await client.payByCard({ more })
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', code, param } },
    ])
  })

  test('a missing parameter is named', async () => {
    expect((await client.post('/v1/checkout/sessions', { mode: 'payment' })).json()).toMatchObject({
      error: { code: 'parameter_missing', param: 'success_url' },
    })
  })

  test('a transfer in the wrong currency', async () => {
    const answer = await client.startTransfer({ currency: 'gbp', more: { currency: 'eur' } })
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param: 'currency' } }])
  })
})

describe('401', () => {
  test.each([undefined, 'Bearer sk_test_wrong'])('authorization %s', async (authorization) => {
    const url = `${simulator.providerUrl('stripe')}/v1/payment_intents`
    const answer = await http(url, { headers: { ...(authorization && { authorization }) } })
    expect([answer.status, answer.json()]).toMatchObject([401, { error: { type: 'invalid_request_error' } }])
  })
})

describe('402', () => {
  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000009979', 'card_declined', 'stolen_card'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
    ['4242424242424241', 'incorrect_number', 'incorrect_number'],
  ])('card %s is declined: %s, %s', async (number, code, declineCode) => {
    const key = randomUUID()
    const answer = await client.payByCard({ number, key })
    expect([answer.status, answer.json()]).toMatchObject([
      402,
      {
        error: {
          type: 'card_error',
          code,
          decline_code: declineCode,
          payment_intent: { status: 'requires_payment_method' },
        },
      },
    ])
    expect(simulator.log({ reference: key })).toEqual([])
    const { error } = answer.json() as { error: { payment_intent: { id: string } } }
    const intent = (await client.get(`/v1/payment_intents/${error.payment_intent.id}`)).json()
    expect(intent).toMatchObject({ last_payment_error: { decline_code: declineCode } })
  })

  test('a card that has expired', async () => {
    const answer = await client.payByCard({ more: { 'payment_method_data[card][exp_year]': '2020' } })
    expect(answer.json()).toMatchObject({ error: { code: 'invalid_expiry_year' } })
  })

  test('raw card data at an account that may not send it', async () => {
    simulator.configure('stripe', { options: { raw_card_data: false } })
    const answer = await client.payByCard()
    simulator.configure('stripe', { options: { raw_card_data: true } })
    expect([answer.status, answer.json()]).toMatchObject([402, { error: { type: 'invalid_request_error' } }])
  })
})

describe('404', () => {
  test.each(['/v1/payment_intents/pi_nope', '/v1/checkout/sessions/cs_test_nope', '/v1/refunds/re_nope'])(
    '%s',
    async (path) => {
      const answer = await client.get(path)
      expect([answer.status, answer.json()]).toMatchObject([404, { error: { code: 'resource_missing' } }])
    },
  )
})
