import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  createTestClock,
  openPayments,
  renewRates,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { refreshRates } from '../../pricing/rates/refresh-rates.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
afterAll(() => expectCleanAudit(t))
let org: OrgPayments
let staff: Person
let admin: Person
let beneficiary: string
beforeEach(async () => {
  await refreshRates(t.deps)
  org = await openPayments(t)
  staff = await addPerson(t, org.orgId, 'staff')
  admin = await addPerson(t, org.orgId, 'org-admin')
  beneficiary = await org.addBeneficiary(bankBeneficiary())
})

const setPolicies = async (...policies: Json[]): Promise<void> => {
  const path = `/v1/organizations/${org.orgId}/approval-policies`
  expect((await org.call('PUT', path, { policies })).status).toBe(200)
}
const initiate = (body: Json, as = staff): Promise<CallAnswer> =>
  t.call('POST', '/v1/payments-init/initiate', { as: as.token, body })
const naira = (amount: number): Json => bankPayout(beneficiary, { amount, target_amount: amount })
const pounds = (amount: number): Json =>
  bankPayout(beneficiary, {
    amount,
    target_amount: amount,
    currency: 'GBP',
    target_currency: 'GBP',
    country: 'GB',
  })
const statusOf = (answer: CallAnswer): string => answer.body.response.status
const idOf = (answer: CallAnswer): string => answer.body.response.payment_id
const quote = async (from: string, to: string): Promise<Json> => {
  const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
  return (await org.call('GET', path)).body.data
}
const review = (id: string, as: Person, more: object = {}): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/review`, { as: as.token, body: { decision: 'approve', ...more } })
const dollarsTo = async (currency: string, amount: number, change: object = {}): Promise<Json> => {
  const { org_rate_id, rate } = await quote('USD', currency)
  const target_amount = Number((amount * rate).toFixed(2))
  return bankPayout(beneficiary, {
    amount,
    currency: 'USD',
    target_amount,
    target_currency: currency,
    org_rate_id,
    ...change,
  })
}

describe('both sides of a payout are compared', () => {
  it('USD 10,000 to GBP needs approval under a policy for GBP', async () => {
    await setPolicies({ currency: 'GBP', payout_from: 1000 })
    const answer = await initiate(await dollarsTo('GBP', 10_000, { country: 'GB' }))
    expect(statusOf(answer)).toBe('initiated')
    expect(await org.attempts(idOf(answer))).toEqual([])
  })

  it('a currency without a policy is converted into one that has', async () => {
    await setPolicies({ currency: 'GBP', payout_from: 1000 })
    const { rate } = await quote('GBP', 'NGN')
    expect(statusOf(await initiate(naira(Math.round(rate * 900))))).toBe('processing')
    expect(statusOf(await initiate(naira(Math.round(rate * 1100))))).toBe('initiated')
  })

  it('an amount that no rate can convert needs approval', async () => {
    await setPolicies({ currency: 'KMF', payout_from: 100_000_000 })
    expect(statusOf(await initiate(naira(10)))).toBe('initiated')
  })

  it('a currency with a policy of its own is not held against the others', async () => {
    await setPolicies({ currency: 'GBP', payout_from: 1 }, { currency: 'NGN', payout_from: 1_000_000 })
    expect(statusOf(await initiate(naira(900_000)))).toBe('processing')
  })
})

describe('the sum over 24 hours', () => {
  it('five times GBP 999.99 under GBP 1,000 do not pass a daily limit of 3,000', async () => {
    await setPolicies({ currency: 'GBP', payout_from: 1000, daily_from: 3000 })
    const statuses: string[] = []
    for (let times = 0; times < 5; times++) statuses.push(statusOf(await initiate(pounds(999.99))))
    expect(statuses).toEqual(['processing', 'processing', 'processing', 'initiated', 'initiated'])
  })

  it('at the same moment they count each other', async () => {
    await setPolicies({ currency: 'GBP', payout_from: 1000, daily_from: 3000 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => initiate(pounds(999.99))))
    const sent = answers.filter((answer) => statusOf(answer) !== 'initiated')
    expect(sent).toHaveLength(3)
    for (const answer of answers.filter((one) => !sent.includes(one)))
      expect(await org.attempts(idOf(answer))).toEqual([])
  })

  it('counts other currencies, what waits for approval, and nothing that ended without effect', async () => {
    await setPolicies({ currency: 'GBP', payout_from: 1000, daily_from: 3000 })
    const held = idOf(await initiate(pounds(2900)))
    expect((await org.record(held)).status).toBe('initiated')
    const { rate } = await quote('GBP', 'NGN')
    expect(statusOf(await initiate(naira(Math.round(rate * 200))))).toBe('initiated')
    await t.call('POST', `/v1/payments/${held}/review`, { as: admin.token, body: { decision: 'reject' } })
    expect(statusOf(await initiate(naira(Math.round(rate * 200))))).toBe('processing')
  })

  it('ends after a day', async () => {
    await setPolicies({ currency: 'NGN', payout_from: 1000, daily_from: 1500 })
    expect(statusOf(await initiate(naira(900)))).toBe('processing')
    await t.owner.query(
      `update payments set created_at = created_at - interval '25 hours' where org_id = $1`,
      [org.orgId],
    )
    expect(statusOf(await initiate(naira(900)))).toBe('processing')
    expect(statusOf(await initiate(naira(900)))).toBe('initiated')
  })
})

describe('a manual payment', () => {
  it('is not confirmed by the one who started it', async () => {
    await org.ownAccount('manual', {})
    const id = idOf(await initiate(pounds(100)))
    const confirm = (as: Person) =>
      t.call('POST', `/v1/payments/${id}/confirm`, { as: as.token, body: { outcome: 'completed' } })
    const own = await confirm(staff)
    expect([own.status, own.body.message]).toEqual([403, expect.stringContaining('you started')])
    expect((await org.record(id)).status).toBe('processing')
    expect((await confirm(admin)).status).toBe(200)
  })
})

describe('an approval checks again', () => {
  it('an expired rate is refused with the new one, which the approver may accept', async () => {
    await setPolicies({ currency: 'NGN', payout_from: 1000 })
    const id = idOf(await initiate(await dollarsTo('NGN', 10)))
    expect((await review(id, admin)).body.status).toBe('reviewed')
    const second = await addPerson(t, org.orgId, 'org-admin')
    clock.pass(20 * 60_000)
    await renewRates(t, clock)
    const refused = await review(id, second)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('The locked rate has expired. The rate from USD to NGN is '),
    ])
    expect((await org.record(id)).status).toBe('reviewed')
    const org_rate_id = refused.body.details[0].message
    const { rate } = await quote('USD', 'NGN')
    expect((await review(id, second, { org_rate_id })).body).toMatchObject({ status: 'confirmed' })
    await org.advance(id)
    expect(await org.accepted(id)).toMatchObject([{ currency: 'NGN', amount: (10 * rate).toFixed(2) }])
  })

  it('a rate of another organisation or pair is not accepted', async () => {
    await setPolicies({ currency: 'NGN', payout_from: 1000 })
    const id = idOf(await initiate(await dollarsTo('NGN', 10)))
    await review(id, admin)
    const second = await addPerson(t, org.orgId, 'org-admin')
    const { org_rate_id } = await quote('USD', 'GBP')
    expect((await review(id, second, { org_rate_id })).status).toBe(409)
    expect((await org.record(id)).status).toBe('reviewed')
  })

  it('a provider that was switched off meanwhile is not used', async () => {
    const config = {
      provider: 'manual',
      country: 'NG',
      direction: 'outbound',
      payment_method: 'bank_transfer',
    }
    const created = await org.call('POST', '/v1/payments/provider-configs', { ...config, priority: 1 })
    expect(created.status).toBe(201)
    await setPolicies({ currency: 'NGN', payout_from: 1000 })
    const id = idOf(await initiate(naira(5000)))
    const path = `/v1/payments/provider-configs/manual/${created.body.data.config_id}`
    expect((await org.call('PATCH', path, { is_active: false })).status).toBe(200)
    await review(id, admin)
    expect((await review(id, await addPerson(t, org.orgId, 'org-admin'))).status).toBe(200)
    await org.advance(id)
    expect((await org.accepted(id)).map(({ provider }) => provider)).toEqual(['paystack'])
  })
})

describe('approvers', () => {
  const inbox = async (as: Person): Promise<string[]> =>
    (await t.call('GET', '/v1/users/notifications', { as: as.token })).body.data.map(
      ({ template }: Json) => template,
    )

  it('get a notice when a payment waits for them', async () => {
    await setPolicies({ currency: 'NGN', payout_from: 1000 })
    const id = idOf(await initiate(naira(5000)))
    expect(await inbox(admin)).toContain('payment-review')
    expect(await inbox(staff)).not.toContain('payment-review')
    const colleague = await addPerson(t, org.orgId, 'org-admin')
    expect((await review(id, admin)).status).toBe(200)
    expect(await inbox(colleague)).toContain('payment-review')
  })
})
