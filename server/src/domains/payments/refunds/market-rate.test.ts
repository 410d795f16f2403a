import { Kysely, PostgresDialect } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { assertAuditClean, brokenAfter } from '../../../../test/app/test-audit.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { exchangedCardPayin } from '../../../../test/worlds/payment-requests.ts'
import {
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import type { DB } from '../../../kernel/db/generated/schema.ts'
import { refreshRates } from '../../pricing/rates/refresh-rates.ts'

/** Somebody who waits with the refund of an exchanged payin until the rate has moved. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
const collected = 25
let org: OrgPayments
let perUsd: Record<'GBP' | 'NGN', number>
beforeEach(async () => {
  await refreshRates(t.deps)
  await t.owner.query('update market_rates set as_of = now()')
  perUsd = { GBP: await marketRate('GBP'), NGN: await marketRate('NGN') }
  org = await openUnverified(t)
})
afterEach(async () => {
  await setNaira(perUsd.NGN)
  await assertAuditClean(t.owner)
})

const marketRate = async (currency: string): Promise<number> => {
  const { rows } = await t.owner.query<{ rate: string }>(
    'select per_usd as rate from market_rates where currency = $1',
    [currency],
  )
  return Number(rows[0]?.rate)
}
const setNaira = (rate: number): Promise<unknown> =>
  t.owner.query(`update market_rates set per_usd = $1, as_of = now() where currency = 'NGN'`, [rate])
/** What so many pounds are worth in naira now. */
const worth = async (pounds: number): Promise<number> =>
  (pounds * (await marketRate('NGN'))) / (await marketRate('GBP'))

const paid = async (): Promise<{ id: string; target: number; reference: string }> => {
  const body = await exchangedCardPayin(org)
  const id = await org.start(body)
  expect((await org.record(id)).status).toBe('completed')
  return { id, target: body.target_amount, reference: (await org.attempts(id))[0].data.reference }
}
/** More than a day after it was completed. */
const age = (id: string): Promise<unknown> =>
  t.owner.query(`update attempts set ended_at = ended_at - interval '25 hours' where payment_id = $1`, [id])
const refund = (id: string, body: Json = {}, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/refund`, { as, body: { reason: 'Returned goods', ...body } })
const naira = async (): Promise<[available: number, held: number]> => {
  const { data } = (await org.call('GET', `/v1/organizations/${org.orgId}/balances`)).body
  const found = data.find((one: Json) => one.currency === 'NGN')
  return [found.available, found.held]
}
/** Naira that the organisation has from elsewhere. */
const fund = (major: number): Promise<unknown> =>
  t.owner.query(
    `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
     values ($1, gen_random_uuid(), 'test.funds', 'posted', 'opening', 'available', 'NGN', $2)`,
    [org.orgId, Math.round(major * 100)],
  )
const round = (major: number): number => Math.round(major * 100) / 100

describe('a day after the payin', () => {
  it('a naira that has fallen makes the refund dearer: the pool loses nothing', async () => {
    const { id, target } = await paid()
    await fund(target)
    await age(id)
    await setNaira(perUsd.NGN * 1.5)
    const { status, body } = await refund(id)
    const least = await worth(collected)
    expect([status, body.data]).toMatchObject([
      201,
      { status: 'completed', amount: collected, currency: 'GBP', debit_currency: 'NGN' },
    ])
    expect(body.data.debit_amount).toBeGreaterThanOrEqual(least)
    expect(body.data.market_rate * collected).toBeCloseTo(body.data.debit_amount, 1)
    expect(body.data.rate_difference).toBe(round(body.data.debit_amount - target))
    expect(await naira()).toEqual([round(2 * target - body.data.debit_amount), 0])
    const lines = (await org.postings(body.data.refund_id)).map(({ kind, debit, credit }) => [
      kind,
      debit,
      credit,
    ])
    expect(lines).toEqual([
      ['refund', 'fx:GBP/NGN', 'provider:stripe'],
      ['refund.fx', 'available', 'fx:GBP/NGN'],
      ['refund.fx.resolved', 'available', 'fx:GBP/NGN'],
      ['refund.rate', 'available', 'fx:GBP/NGN'],
      ['refund.rate.resolved', 'available', 'fx:GBP/NGN'],
    ])
  })

  it('a naira that has risen makes it cheaper', async () => {
    const { id, target } = await paid()
    await age(id)
    await setNaira(perUsd.NGN / 2)
    const { data } = (await refund(id)).body
    expect(data.status).toBe('completed')
    expect(data.debit_amount).toBeLessThan(target)
    expect(data.debit_amount).toBeGreaterThanOrEqual(await worth(collected))
    expect(data.rate_difference).toBe(round(data.debit_amount - target))
    expect(await naira()).toEqual([round(target - data.debit_amount), 0])
  })

  it('the margin of the organisation counts, as in a quote', async () => {
    const { id, target } = await paid()
    await fund(target)
    await age(id)
    await t.owner.query('update organizations set rate_margin_bps = 200 where org_id = $1', [org.orgId])
    const { data } = (await refund(id)).body
    expect(data.debit_amount).toBeCloseTo((await worth(collected)) / 0.98, 1)
  })

  it('a refund that the balance covers at its own rate only is refused, and nothing is begun', async () => {
    const { id } = await paid()
    await age(id)
    await setNaira(perUsd.NGN * 1.5)
    const before = await naira()
    expect(await refund(id)).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_FUNDS' } })
    expect([await naira(), (await org.call('GET', `/v1/payments/${id}/refunds`)).body.count]).toEqual([
      before,
      0,
    ])
  })

  it('without a fresh rate it is refused, and nothing is begun', async () => {
    const { id } = await paid()
    await age(id)
    await t.owner.query(`update market_rates set as_of = now() - interval '2 days' where currency = 'NGN'`)
    const before = await naira()
    expect((await refund(id)).status).toBe(503)
    expect([await naira(), (await org.call('GET', `/v1/payments/${id}/refunds`)).body.count]).toEqual([
      before,
      0,
    ])
  })

  it('a part that is named in naira costs at most that much', async () => {
    const { id, target } = await paid()
    await age(id)
    await setNaira(perUsd.NGN * 1.5)
    const { data } = (await refund(id, { amount: round(target / 2), currency: 'NGN' })).body
    expect(data.debit_amount).toBeLessThanOrEqual(round(target / 2))
    expect(data.debit_amount).toBeGreaterThanOrEqual(await worth(data.amount))
  })

  it('what the provider refuses gives everything back', async () => {
    const { id, target } = await paid()
    await fund(target)
    await age(id)
    await setNaira(perUsd.NGN * 1.2)
    const before = await naira()
    t.simulator.setFaults('stripe', [{ on: 'refund', fault: 'decline', reason: 'insufficient_funds' }])
    const { data } = (await refund(id)).body
    t.simulator.setFaults('stripe', [])
    expect([data.status, await naira()]).toEqual(['failed', before])
  })
})

it('the audit finds a refund that cost something else than its rate says', async () => {
  const { id, target } = await paid()
  await fund(target)
  await age(id)
  await setNaira(perUsd.NGN * 1.5)
  const refundId = (await refund(id)).body.data.refund_id
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const promise = 'a refund at the market rate cost the balance what that rate says'
  for (const statement of [
    `update refunds set market_rate = market_rate / 2 where refund_id = '${refundId}'`,
    `alter table ledger_transfers disable trigger user;
     update ledger_transfers set amount_minor = amount_minor - 1
     where cause_id = '${refundId}' and kind = 'refund.rate.resolved'`,
  ])
    expect(await brokenAfter(owner, statement)).toContain(promise)
})

describe('on the first day', () => {
  it('a part costs the payment’s own rate, and the rest the market rate a day later', async () => {
    const { id, target } = await paid()
    await fund(target)
    await setNaira(perUsd.NGN * 1.5)
    const first = (await refund(id, { amount: 10 })).body.data
    expect(first).toMatchObject({ market_rate: null, rate_difference: 0, status: 'completed' })
    expect(first.debit_amount).toBeCloseTo((target * 10) / collected, 1)
    await age(id)
    const rest = (await refund(id)).body.data
    expect(rest.debit_amount).toBeGreaterThanOrEqual(await worth(15))
    expect((await org.record(id)).status).toBe('refunded')
  })
})

describe('what the provider does itself', () => {
  it('counts at the payment’s own rate, also after a refund at the market rate', async () => {
    const { id, target, reference } = await paid()
    await fund(target)
    await age(id)
    await setNaira(perUsd.NGN * 1.5)
    const { data } = (await refund(id, { amount: 10 })).body
    await t.simulator.refund('stripe', { reference, amount: '15.00' })
    expect((await org.record(id)).status).toBe('refunded')
    const ownRateOfRest = target - (data.debit_amount - data.rate_difference)
    expect((await naira())[0]).toBe(round(2 * target - data.debit_amount - ownRateOfRest))
  })
})

describe('a refund that waits for approval', () => {
  it('is priced when it is approved, so nobody waits with a price', async () => {
    const { id, target } = await paid()
    await fund(target)
    const policies = [{ currency: 'GBP', payout_from: 1000, refund_from: 1 }]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
    const [staff, admin] = [
      await addPerson(t, org.orgId, 'staff'),
      await addPerson(t, org.orgId, 'org-admin'),
    ]
    const waiting = (await refund(id)).body.data
    expect(waiting).toMatchObject({ status: 'awaiting_approval', debit_amount: target, market_rate: null })
    await age(id)
    await setNaira(perUsd.NGN * 1.5)
    const review = ({ token }: { token: string }): Promise<CallAnswer> =>
      t.call('POST', `/v1/refunds/${waiting.refund_id}/review`, { as: token, body: { decision: 'approve' } })
    await review(staff)
    const { data } = (await review(admin)).body
    expect(data.status).toBe('completed')
    expect(data.debit_amount).toBeGreaterThanOrEqual(await worth(collected))
    expect(await naira()).toEqual([round(2 * target - data.debit_amount), 0])
  })
})
