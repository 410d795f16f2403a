import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let payee: string
/** An organisation with a balance of 1,000.00 in every currency. */
beforeEach(async () => {
  for (const provider of ['paystack', 'stripe']) t.simulator.setFaults(provider, [])
  org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, 1_000n)
  payee = await org.addBeneficiary(bankBeneficiary())
})

const operator = (): string => t.seed.platformAdmin.api_key
const createSchedule = (body: Json, as = operator()): Promise<CallAnswer> =>
  t.call('POST', '/v1/fees/schedules', { as, body: { org_id: org.orgId, label: 'Standard', ...body } })
async function scheduled(body: Json): Promise<string> {
  const answer = await createSchedule(body)
  expect(answer.status).toBe(201)
  return answer.body.data.schedule_id
}
const balanceOf = async (currency: string, custody = 'pooled'): Promise<Json> =>
  (await org.call('GET', `/v1/organizations/${org.orgId}/balances`)).body.data.find(
    (balance: Json) => balance.currency === currency && balance.custody === custody,
  )
const payout = (amount: number): Json => bankPayout(payee, { amount, target_amount: amount })
const feePostings = async (paymentId: string): Promise<string[]> =>
  (await org.postings(paymentId))
    .filter(({ kind }) => kind.startsWith('fee'))
    .map((row) => `${row.kind} ${row.phase} ${row.debit} ${row.credit} ${row.minor}`)
const period = 'from=2026-01-01&to=2026-03-31'
const today = (): string => {
  const [from, to] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
  return `from=${from}&to=${to}`
}

describe('a payin', () => {
  it('is charged when it completes, and shows the fee in answer, record, list and events', async () => {
    const id = await scheduled({ direction: 'payin', percent: 1.5, fixed: 0.2, currency: 'GBP' })
    const begun = await org.initiate(cardPayin())
    const paymentId: string = begun.body.response.payment_id
    expect(begun.body.response.payment_data).toMatchObject({ fee_ids: [id], total_fees: 0.58 })
    await t.simulator.settle()
    expect(await org.record(paymentId)).toMatchObject({
      status: 'completed',
      fee_ids: [id],
      total_fees: 0.58,
      fees_currency: 'GBP',
    })
    expect(await feePostings(paymentId)).toEqual(['fee posted available fees 58'])
    expect(await balanceOf('GBP')).toMatchObject({ available: 1_024.42 })
    const [listed] = (await org.call('GET', '/v1/transactions')).body.data
    expect(listed).toMatchObject({ fee_ids: [id], total_fees: 0.58, fees_currency: 'GBP' })
    const { rows } = await t.owner.query(
      `select data from events where resource_id = $1 and event_type = 'payment.completed'`,
      [paymentId],
    )
    expect(JSON.parse(rows[0].data)).toMatchObject({ fee_ids: [id], total_fees: 0.58, fees_currency: 'GBP' })
    await expectCleanAudit(t)
  })

  it.each([true, false])(
    'that is refunded in full gets its fee back if the schedule says so: %s',
    async (back) => {
      await scheduled({ percent: 2, returned_on_refund: back })
      const id = await org.start(cardPayin())
      await t.simulator.settle()
      await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned goods' })
      await t.simulator.settle()
      expect((await org.record(id)).status).toBe('refunded')
      expect(await feePostings(id)).toEqual([
        'fee posted available fees 50',
        ...(back ? ['fee.returned posted fees available 50'] : []),
      ])
      expect(await balanceOf('GBP')).toMatchObject({ available: back ? 1_000 : 999.5 })
      await expectCleanAudit(t)
    },
  )

  it('keeps the fee of its initiation when prices change before it completes', async () => {
    const old = await scheduled({ percent: 1 })
    const id = await org.start(cardPayin())
    await t.call('DELETE', `/v1/fees/schedules/${old}`, { as: operator() })
    await scheduled({ percent: 50 })
    await t.simulator.settle()
    expect(await org.record(id)).toMatchObject({ fee_ids: [old], total_fees: 0.25 })
    await expectCleanAudit(t)
  })
})

describe('a payout', () => {
  it('holds its fee with its amount, and is refused when both together are not covered', async () => {
    await scheduled({ direction: 'payout', percent: 1, currency: 'NGN', minimum: 10 })
    const refused = await org.initiate(payout(995))
    expect([refused.status, refused.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS'])
    expect(refused.body.message).toContain('5.00 NGN is missing')
    const id = await org.start(payout(990))
    expect(await balanceOf('NGN')).toMatchObject({ available: 0 })
    await t.simulator.settle()
    expect(await feePostings(id)).toEqual([
      'fee pending available fees 1000',
      'fee.resolved post available fees 1000',
    ])
    expect(await balanceOf('NGN')).toMatchObject({ available: 0, held: 0 })
    await expectCleanAudit(t)
  })

  it('that fails costs nothing', async () => {
    await scheduled({ direction: 'payout', fixed: 10, currency: 'NGN' })
    t.simulator.setFaults('paystack', [{ on: 'payout', fault: 'decline', times: 1 }])
    await org.initiate(payout(100))
    expect(await balanceOf('NGN')).toMatchObject({ available: 1_000, held: 0 })
    await expectCleanAudit(t)
  })
})

it('the fee of a payment is at most its amount', async () => {
  await scheduled({ fixed: 1_000, currency: 'GBP' })
  const id = await org.start(cardPayin())
  await t.simulator.settle()
  expect(await org.record(id)).toMatchObject({ total_fees: 25 })
  expect(await balanceOf('GBP')).toMatchObject({ available: 1_000 })
  await expectCleanAudit(t)
})

describe('what a provider charges', () => {
  it('is posted once, however often the provider names it, and reported', async () => {
    const id = await org.start(bankTransferPayin())
    await t.simulator.settle()
    await t.simulator.settle({ all: true })
    expect(await org.record(id)).toMatchObject({ status: 'completed', provider: 'paystack' })
    const costs = (await org.postings(id)).filter(({ kind }) => kind === 'provider.cost')
    expect(costs).toEqual([
      expect.objectContaining({ debit: 'provider_costs', credit: 'provider:paystack', minor: '2251' }),
    ])
    const { rows } = await t.owner.query(
      'select cost_minor, cost_currency from attempts where payment_id = $1',
      [id],
    )
    expect(rows).toEqual([{ cost_minor: '2251', cost_currency: 'NGN' }])
    const report = await org.call('GET', `/v1/fees?${today()}`)
    expect(report.body.data.provider_costs).toEqual([
      expect.objectContaining({ provider: 'paystack', currency: 'NGN', payments: 1, cost: 22.51 }),
    ])
    await expectCleanAudit(t)
  })
})

it('a fee for a payment in the organisation’s own account is owed, not debited', async () => {
  await scheduled({ percent: 2 })
  const secret_key = `sk_test_${org.orgId}`
  t.simulator.configure('stripe', { account: org.orgId, secrets: { secret_key } })
  await org.ownAccount('stripe', {
    secretKey: secret_key,
    webhookSecrets: ['whsec_own'],
    baseUrl: `${t.simulator.url}/stripe`,
  })
  const id = await org.start(cardPayin())
  await t.simulator.settle()
  expect(await feePostings(id)).toEqual(['fee posted fees_due fees 50'])
  expect(await balanceOf('GBP', 'own')).toMatchObject({ available: 25 })
  expect(await balanceOf('GBP')).toMatchObject({ available: 1_000 })
  await expectCleanAudit(t)
})

describe('GET /v1/fees/quote', () => {
  const quote = (query: string, as = org.credential): Promise<CallAnswer> =>
    t.call('GET', `/v1/fees/quote?${query}`, { as })
  const corridor = 'direction=payout&payment_method=bank_transfer&country=NG&currency=NGN'

  it('says what the payment would cost', async () => {
    const id = await scheduled({ percent: 1.25, currency: 'NGN', maximum: 100 })
    expect((await quote(`${corridor}&amount=1000.00`)).body.data).toEqual({
      total_fees: 12.5,
      currency: 'NGN',
      fee_ids: [id],
    })
    expect((await quote(`${corridor}&amount=1000000`)).body.data).toMatchObject({ total_fees: 100 })
  })

  it('is nothing without a schedule', async () => {
    expect((await quote(`${corridor}&amount=5`)).body.data).toMatchObject({ total_fees: 0, fee_ids: [] })
  })

  it.each(['amount=-5', 'amount=1e5', 'amount=0.001', 'amount='])('400 for %s', async (amount) => {
    expect((await quote(`${corridor}&${amount}`)).status).toBe(400)
  })
})

describe('schedules', () => {
  it('are listed for the organisation with the general ones, and not those of others', async () => {
    const own = await scheduled({ percent: 1 })
    const stranger = await openUnverified(t)
    const of = async (credential: string): Promise<string[]> =>
      (await t.call('GET', '/v1/fees/schedules', { as: credential })).body.data.map(
        (row: Json) => row.schedule_id,
      )
    expect(await of(org.credential)).toContain(own)
    expect(await of(stranger.credential)).not.toContain(own)
    const asked = await t.call('GET', `/v1/fees/schedules?org_id=${org.orgId}`, { as: stranger.credential })
    expect(asked.status).toBe(403)
  })

  it('are written by the operator alone', async () => {
    const admin = await addPerson(t, org.orgId, 'org-admin')
    expect((await createSchedule({ percent: 0 }, admin.token)).status).toBe(403)
    const id = await scheduled({ percent: 5 })
    const path = `/v1/fees/schedules/${id}`
    expect((await t.call('DELETE', path, { as: admin.token })).status).toBe(403)
    expect((await t.call('DELETE', path, { as: operator() })).status).toBe(200)
    expect((await t.call('DELETE', path, { as: operator() })).status).toBe(404)
  })

  it.each([
    ['a fixed part without a currency', { fixed: 1 }],
    ['a maximum below the minimum', { currency: 'NGN', minimum: 5, maximum: 4 }],
    ['more than 100 percent', { percent: 101 }],
    ['a negative part', { currency: 'NGN', fixed: -1 }],
    ['five decimals', { percent: 0.00001 }],
    ['more decimals than the currency has', { currency: 'UGX', fixed: 0.5 }],
    ['an unknown currency', { currency: 'XXL' }],
  ])('400 for %s', async (_name, body) => {
    expect((await createSchedule(body)).status).toBe(400)
  })
})

describe('GET /v1/fees', () => {
  it('sums up what was charged and returned, and refuses other periods and organisations', async () => {
    await scheduled({ percent: 2, returned_on_refund: true })
    for (let count = 0; count < 2; count++) await org.start(cardPayin())
    await t.simulator.settle()
    const report = await org.call('GET', `/v1/fees?${today()}`)
    expect(report.body.data.fees).toEqual([
      {
        currency: 'GBP',
        custody: 'pooled',
        direction: 'payin',
        payment_method: 'card',
        provider: 'stripe',
        payments: 2,
        charged: 1,
        returned: 0,
      },
    ])
    expect((await org.call('GET', '/v1/fees?from=2026-01-01&to=2026-12-31')).status).toBe(400)
    expect((await org.call('GET', '/v1/fees?from=2026-02-01&to=2026-01-01')).status).toBe(400)
    const stranger = await openUnverified(t)
    const asked = await t.call('GET', `/v1/fees?${period}&org_id=${org.orgId}`, { as: stranger.credential })
    expect(asked.status).toBe(403)
  })
})
