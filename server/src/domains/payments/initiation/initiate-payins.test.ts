import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
  ghanaianPayin,
  mobileMoneyPayin,
  openPayments,
  paymentsOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { exchangedCardPayin } from '../../../../test/worlds/payment-requests.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

const nigerianCard = (change: object = {}): Json =>
  cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN', ...change })
const card = (change: object): Json => ({
  card_details: { ...cardPayin().card_details, ...change },
})
const accept = async (body: Json): Promise<Json> => {
  const answer = await org.initiate(body)
  expect(answer.status).toBe(200)
  expect(answer.body.statusCode).toBe(200)
  return answer.body.response
}
const press = async (pageUrl: string, decision: string): Promise<void> => {
  const page = await request(pageUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `decision=${decision}`,
  })
  await page.body.dump()
  expect(page.statusCode).toBe(303)
}
const statusOf = async (response: Json): Promise<string> => (await org.record(response.payment_id)).status

describe('200', () => {
  it('mobile money: the customer is prompted, the caller waits, and the approval completes it', async () => {
    const response = await accept(
      mobileMoneyPayin({ metadata: { order: 'A-7', nested: { lines: [1, 2.5] } } }),
    )
    expect(response).toEqual({
      success: true,
      payment_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transaction_id: response.payment_id,
      status: 'pending',
      next_action: 'wait',
      provider: 'pawapay',
      message: 'The payment waits for the customer or the funds.',
      payment_data: {
        amount: 5000,
        currency: 'UGX',
        target_amount: 5000,
        target_currency: 'UGX',
        metadata: { order: 'A-7', nested: { lines: [1, 2.5] } },
        fee_ids: [],
        total_fees: null,
        fees_currency: null,
      },
    })
    await t.simulator.settle()
    expect(await statusOf(response)).toBe('completed')
    expect(await org.accepted(response.payment_id)).toMatchObject([{ amount: '5000', currency: 'UGX' }])
  })

  it('mobile money with a one-time password: the caller is asked to collect it', async () => {
    const response = await accept(ghanaianPayin({ amount: 10.15, target_amount: 10.15 }))
    expect(response).toMatchObject({ status: 'pending', next_action: 'collect_otp', provider: 'paystack' })
    expect(response.message).toContain('voucher')
    expect(response).not.toHaveProperty('redirect_url')
  })

  it('bank transfer: the funding instructions stand at the top level of the response', async () => {
    const response = await accept(bankTransferPayin())
    expect(response).toMatchObject({
      status: 'pending',
      next_action: 'bank_transfer',
      provider: 'paystack',
      account_number: expect.stringMatching(/^\d{10}$/),
      account_name: 'PAYSTACK CHECKOUT',
      bank_name: 'Test Bank',
      amount: 1500.75,
      currency: 'NGN',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    await t.simulator.settle()
    expect(await statusOf(response)).toBe('completed')
  })

  it('bank transfer in Britain: sort code and reference are among the instructions', async () => {
    const response = await accept(
      bankTransferPayin({ country: 'GB', currency: 'GBP', target_currency: 'GBP' }),
    )
    expect(response).toMatchObject({
      next_action: 'bank_transfer',
      provider: 'stripe',
      sort_code: expect.stringMatching(/^\d{6}$/),
      account_number: expect.stringMatching(/^\d{8}$/),
      reference: expect.stringMatching(/./),
    })
  })

  it('the manual provider shows the account of the operator, and no provider is called', async () => {
    const before = t.simulator.log().length
    const money = { amount: 5000, target_amount: 5000, currency: 'UGX', target_currency: 'UGX' }
    const response = await accept(bankTransferPayin({ country: 'UG', ...money }))
    expect(response).toMatchObject({
      status: 'pending',
      next_action: 'bank_transfer',
      provider: 'manual',
      account_name: 'Switchyard Demo',
      account_number: '0123456789',
      bank_name: 'Demo Bank',
      reference: expect.stringMatching(/^[0-9a-f-]{13}$/),
    })
    expect(t.simulator.log()).toHaveLength(before)
  })

  it('card, direct: completed in the call, with no next action', async () => {
    const response = await accept(cardPayin())
    expect(response).toMatchObject({ success: true, status: 'completed', provider: 'stripe' })
    expect(response).not.toHaveProperty('next_action')
    expect(response).not.toHaveProperty('redirect_url')
    expect(await org.accepted(response.payment_id)).toMatchObject([{ amount: '25.00', currency: 'GBP' }])
  })

  it('card with 3-D Secure: the customer is sent to the bank’s page, and what they do there decides', async () => {
    const [approved, refused] = [
      await accept(cardPayin(card({ card_number: '4000000000003220' }))),
      await accept(cardPayin(card({ card_number: '4000000000003220' }))),
    ]
    expect(approved).toMatchObject({ status: 'pending', next_action: 'redirect' })
    expect(approved.redirect_url).toContain('/stripe/3d_secure/')
    await press(approved.redirect_url, 'pay')
    await press(refused.redirect_url, 'decline')
    expect(await statusOf(approved)).toBe('completed')
    expect(await statusOf(refused)).toBe('failed')
  })

  it('card on a hosted page: the customer is sent there, and paying there completes it', async () => {
    const response = await accept(nigerianCard())
    expect(response).toMatchObject({ status: 'pending', next_action: 'redirect', provider: 'paystack' })
    expect(response.redirect_url).toContain('/paystack/checkout/')
    await press(response.redirect_url, 'pay')
    expect(await statusOf(response)).toBe('completed')
  })

  it.each([
    ['4000000000009995', 'INSUFFICIENT_FUNDS', 'The account does not have enough funds.'],
    ['4000000000000069', 'CARD_EXPIRED', 'The card has expired.'],
    ['4000000000000002', 'CARD_DECLINED', 'The card was declined.'],
  ])(
    'card %s is refused at once: 502 with the payment and the reason %s',
    async (card_number, code, message) => {
      const { status, body } = await org.initiate(cardPayin(card({ card_number })))
      expect([status, body.code, body.failure]).toEqual([502, 'ALL_PROVIDERS_FAILED', { code, message }])
      expect(body.message).toContain(message)
      const record = await org.record(body.payment_id)
      expect([record.status, record.failure]).toEqual(['failed', { code, message }])
      expect(await org.accepted(body.payment_id)).toEqual([])
    },
  )

  it('a cross-currency payin collects the source amount and books both legs of the exchange', async () => {
    const body = await exchangedCardPayin(org)
    const target = Number(body.target_amount)
    const response = await accept(body)
    expect(response.payment_data).toMatchObject({
      amount: 25,
      currency: 'GBP',
      target_amount: target,
      target_currency: 'NGN',
    })
    expect(await org.accepted(response.payment_id)).toMatchObject([{ amount: '25.00', currency: 'GBP' }])
    const minor = String(Math.round(target * 100))
    expect(await org.postings(response.payment_id)).toEqual([
      {
        kind: 'fx.bought',
        phase: 'posted',
        debit: 'fx:GBP/NGN',
        credit: 'available',
        currency: 'NGN',
        minor,
      },
      {
        kind: 'fx.sold',
        phase: 'posted',
        debit: 'available',
        credit: 'fx:GBP/NGN',
        currency: 'GBP',
        minor: '2500',
      },
      {
        kind: 'payin',
        phase: 'posted',
        debit: 'provider:stripe',
        credit: 'available',
        currency: 'GBP',
        minor: '2500',
      },
    ])
  })
})

describe('200: optional fields', () => {
  it('the caller’s own org_id and user_id may be repeated', async () => {
    const { user_id, org_id } = await org.record(await org.start(mobileMoneyPayin()))
    expect(org_id).toBe(org.orgId)
    expect((await org.initiate(mobileMoneyPayin({ user_id, org_id }))).status).toBe(200)
  })

  it('an API key starts payments as the member who owns it', async () => {
    const member = t.seed.orgs[0]!.members.find(({ role }) => role === 'staff')!
    const staff = paymentsOf(t, t.seed.orgs[0]!.org_id, member.api_key)
    const record = await staff.record(await staff.start(mobileMoneyPayin()))
    expect([record.org_id, record.user_id]).toEqual([staff.orgId, member.user_id])
  })

  it('null stands for every optional field that is left out', async () => {
    const optional = ['org_rate_id', 'client_reference', 'description', 'card_details', 'bank_details']
    const more = ['bank_account', 'beneficiary_id', 'return_url', 'metadata', 'country']
    const nulls = Object.fromEntries([...optional, ...more].map((name) => [name, null]))
    const answer = await org.initiate(cardPayin({ ...nulls, card_details: cardPayin().card_details }))
    expect(answer.body.response.status).toBe('completed')
  })

  it('client_reference is the caller’s own and deduplicates nothing', async () => {
    const body = mobileMoneyPayin({ client_reference: 'order 7', description: 'Seven of them' })
    const [first, second] = [await org.start(body), await org.start(body)]
    expect(second).not.toBe(first)
    expect(await org.record(first)).toMatchObject({
      client_reference: 'order 7',
      description: 'Seven of them',
    })
  })

  it('an Idempotency-Key does: the same request again is answered again, and charged once', async () => {
    const headers = { 'idempotency-key': 'order-7-once' }
    const [first, second] = [
      await org.initiate(cardPayin(), { headers }),
      await org.initiate(cardPayin(), { headers }),
    ]
    expect(second.text).toBe(first.text)
    expect(await org.accepted(first.body.response.payment_id)).toHaveLength(1)
    const other = await org.initiate(cardPayin({ amount: 26, target_amount: 26 }), { headers })
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it.each([
    ['the country of the request', { country: 'GB' }, 'GB'],
    ['that of the payer’s bank, where it names none', { country: undefined }, 'NG'],
  ])('a payin is routed by %s', async (_name, change, country) => {
    const money = country === 'GB' ? { currency: 'GBP', target_currency: 'GBP' } : {}
    const record = await org.record(await org.start(bankTransferPayin({ ...change, ...money })))
    expect(record.region_id).toBe(country)
  })

  it('a payin is routed by the organisation’s country where neither is named', async () => {
    const record = await org.record(await org.start(cardPayin({ country: undefined })))
    expect(record.region_id).toBe('GB')
  })

  it.each(['MTN', 'mtn', 'MTN_MOMO_UGA'])('the network may be named %s', async (provider) => {
    const mobile_money_details = { provider, phone_number: '256783456789' }
    const record = await org.record(await org.start(mobileMoneyPayin({ mobile_money_details })))
    expect(record.mobile_money_details.provider).toBe('MTN')
  })

  it.each(['0783456789', '256783456789', '+256 783 456 789'])(
    'a phone number may be written %s',
    async (number) => {
      const mobile_money_details = { provider: 'MTN', phone_number: number }
      const record = await org.record(await org.start(mobileMoneyPayin({ mobile_money_details })))
      expect(record.mobile_money_details.phone_number).toBe('+256783456789')
    },
  )

  it('a card’s month and year may be short, and its code and holder left out', async () => {
    const details = { card_number: '5555555555554444', expiry_month: '1', expiry_year: '31' }
    const record = await org.record(await org.start(cardPayin({ card_details: details })))
    expect(record.card_details).toMatchObject({
      expiry_month: '01',
      expiry_year: '2031',
      brand: 'mastercard',
    })
  })
})
