import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  createTestClock,
  openPayments,
  renewRates,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const quoteLimit = 1_000
const pairLimit = 2_500
const clock = createTestClock()
const t = usePayments({
  delayMs: untilSettled,
  clock,
  env: {
    LOG_LEVEL: 'silent',
    QUOTE_LIMIT_USD: String(quoteLimit),
    QUOTE_PAIR_LIMIT_USD: String(pairLimit),
  },
})
let org: OrgPayments
beforeEach(async () => {
  clock.pass(6_000)
  await renewRates(t, clock)
  org = await openPayments(t)
})

const quote = async (of = org, from = 'USD', to = 'GBP'): Promise<Json> =>
  (await of.call('GET', `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`)).body
    .data
const payin = (amount: number, { org_rate_id, rate, fromCurrency, toCurrency }: Json, change = {}): Json =>
  cardPayin({
    amount,
    currency: fromCurrency,
    target_amount: Number((amount * rate).toFixed(2)),
    target_currency: toCurrency,
    org_rate_id,
    ...change,
  })
const refusalOf = ({ status, body }: CallAnswer): unknown[] => [status, body.code]
const statusOf = async (amount: number, rate: Json, of = org): Promise<number> =>
  (await of.initiate(payin(amount, rate))).status

describe('one locked rate', () => {
  it('is used up to its limit, and the answer says what is left and to fetch a new one', async () => {
    const rate = await quote()
    expect(await statusOf(600, rate)).toBe(200)
    const answer = await org.initiate(payin(600, rate))
    expect(refusalOf(answer)).toEqual([400, 'RATE_MISMATCH'])
    expect(answer.body.message).toContain('1000.00 USD of one locked rate, of which 400.00 USD is left')
    expect(await org.initiate(payin(400, rate))).toMatchObject({ status: 200 })
    expect(await statusOf(600, await quote())).toBe(200)
  })

  it('is not exceeded by payments at the same moment', async () => {
    const rate = await quote()
    const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOf(300, rate)))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      200,
      200,
      ...Array.from({ length: 9 }, () => 400),
    ])
  })

  it('does not cover a payment above the limit, and no other one does', async () => {
    const answer = await org.initiate(payin(1_000.01, await quote()))
    expect(refusalOf(answer)).toEqual([422, 'EXCHANGE_LIMIT'])
    expect(answer.body.message).toContain('at most 1000.00 USD')
    expect(await statusOf(1_000, await quote())).toBe(200)
  })

  it('gets back what a failed payment has used', async () => {
    const rate = await quote()
    const card_details = { ...cardPayin().card_details, card_number: '4000000000000002' }
    expect((await org.initiate(payin(900, rate, { card_details }))).status).toBe(502)
    expect(await statusOf(900, rate)).toBe(200)
    expect(await statusOf(900, rate)).toBe(400)
  })

  it('gets back what a rejected payout has used', async () => {
    const payee = await org.addBeneficiary(bankBeneficiary())
    const limit = { currency: 'USD', payout_from: 1 }
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies: [limit] })
    const rate = await quote(org, 'USD', 'NGN')
    const amounts = { amount: 900, currency: 'USD', target_amount: 900 * rate.rate, target_currency: 'NGN' }
    const payout = bankPayout(payee, { ...amounts, org_rate_id: rate.org_rate_id })
    const { body } = await org.initiate(payout)
    expect(body.response.status).toBe('initiated')
    expect(refusalOf(await org.initiate(payout))).toEqual([400, 'RATE_MISMATCH'])
    const colleague = await addPerson(t, org.orgId, 'org-admin')
    const rejected = await t.call('POST', `/v1/payments/${body.response.payment_id}/review`, {
      as: colleague.token,
      body: { decision: 'reject' },
    })
    expect(rejected.status).toBe(200)
    expect((await org.initiate(payout)).status).toBe(200)
  })

  it('has a limit in its own currency', async () => {
    const answer = await org.initiate(payin(1_000, await quote(org, 'GBP', 'USD')))
    expect(answer.body.message).toContain('at most 788.00 GBP')
  })
})

describe('all locked rates of a pair', () => {
  const exhaust = async (): Promise<void> => {
    for (const amount of [1_000, 1_000, 500]) expect(await statusOf(amount, await quote())).toBe(200)
  }

  it('are used up to a total while they are valid, and again once they have expired', async () => {
    await exhaust()
    const answer = await org.initiate(payin(100, await quote()))
    expect(refusalOf(answer)).toEqual([422, 'EXCHANGE_LIMIT'])
    expect(answer.body.message).toContain('of which 0.00 USD is left')
    clock.pass(16 * 60_000)
    await renewRates(t, clock)
    expect(await statusOf(1_000, await quote())).toBe(200)
  })

  it('do not limit another pair, the other direction, or another organisation', async () => {
    await exhaust()
    const other = await openPayments(t)
    expect(await statusOf(1_000, await quote(org, 'USD', 'EUR'))).toBe(200)
    expect(await statusOf(700, await quote(org, 'GBP', 'USD'))).toBe(200)
    expect(await statusOf(1_000, await quote(other), other)).toBe(200)
  })

  it('are not exceeded by payments of several rates at the same moment', async () => {
    const rates: Json[] = []
    for (let count = 0; count < 6; count++) {
      rates.push(await quote())
      clock.pass(6_000)
    }
    const statuses = await Promise.all(rates.map((rate) => statusOf(900, rate)))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 422, 422, 422, 422])
  })
})
