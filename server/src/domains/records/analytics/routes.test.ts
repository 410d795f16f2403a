import { beforeEach, describe, expect, it } from 'vitest'
import { bruteTrends, comparable, fillPayments, parseExactly } from '../../../../test/worlds/many-payments.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { foldDeltas } from './fold-deltas.ts'
import { addDays, daysIn, isTimeZone, ratioDigits, spanOf } from './rules.ts'

const trendsPath = '/v1/transactions/analytics/trends'
const geographyPath = '/v1/users/analytics/geographic-distribution'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const trends = async (query = ''): Promise<Json> => (await org.call('GET', `${trendsPath}${query}`)).body.data
const fold = () => foldDeltas(t.deps)

describe('trends: 200', () => {
  it('a payment counts from its creation and its result when it ends, folded or not', async () => {
    await org.start(mobileMoneyPayin({ amount: 5000, target_amount: 5000 }))
    const open = { currency: 'UGX', count: 1, volume: 5000, completed: 0, completed_volume: 0, failed: 0 }
    expect((await trends()).totals).toEqual([{ ...open, success_rate: null }])
    await fold()
    expect((await trends()).totals).toEqual([{ ...open, success_rate: null }])
    await t.simulator.settle({ all: true })
    const done = { ...open, completed: 1, completed_volume: 5000, success_rate: 1 }
    expect((await trends()).totals).toEqual([done])
    await fold()
    await fold()
    expect((await trends()).totals).toEqual([done])
  })

  it('a late change counts on the day of the payment, not of the change', async () => {
    const id = await org.start(mobileMoneyPayin())
    await t.owner.query(`delete from payment_deltas where org_id = $1`, [org.orgId])
    await t.owner.query(`update payments set created_at = '2026-03-01T12:00:00Z' where payment_id = $1`, [id])
    await t.owner.query(
      `insert into payment_deltas (org_id, bucket_start, country, currency, payments, completed, failed, amount_minor, completed_minor)
       select org_id, quarter_hour(created_at), country, currency, 1, 0, 0, amount_minor, 0 from payments where payment_id = $1`,
      [id],
    )
    await fold()
    await t.simulator.settle({ all: true })
    const { series } = await trends('?dateFrom=2026-03-01&dateTo=2026-03-01')
    expect(series).toMatchObject([{ date: '2026-03-01', count: 1, completed: 1 }])
  })

  it('currencies are never added together', async () => {
    await org.start(mobileMoneyPayin())
    await org.start(kenyanPayin())
    expect((await trends()).totals.map((one: Json) => one.currency)).toEqual(['KES', 'UGX'])
  })

  it('days follow the caller’s time zone, including DST changes and quarter-hour offsets', async () => {
    await fillPayments(t.owner, { orgId: org.orgId, count: 3000, from: '2025-11-01T00:00:00Z' })
    await fold()
    for (const timeZone of [
      'Asia/Kathmandu',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Kiritimati',
    ])
      for (const [from, to] of [
        ['2026-03-01', '2026-03-31'],
        ['2026-10-04', '2026-10-04'],
      ] as const) {
        const query = `?dateFrom=${from}&dateTo=${to}&timeZone=${encodeURIComponent(timeZone)}`
        const { text } = await org.call('GET', `${trendsPath}${query}`)
        const expected = await bruteTrends(t.owner, { orgId: org.orgId, from, to, timeZone })
        expect(parseExactly(text).data.series.map(comparable)).toEqual(expected)
      }
  })

  it('concurrent folds count nothing twice', async () => {
    await fillPayments(t.owner, { orgId: org.orgId, count: 5000, from: '2025-11-01T00:00:00Z' })
    await Promise.all(Array.from({ length: 4 }, fold))
    const { totals } = await trends('?dateFrom=2025-11-01&dateTo=2026-10-31')
    expect(totals.reduce((sum: number, one: Json) => sum + one.count, 0)).toBe(5000)
    const { rows } = await t.owner.query('select from payment_deltas where org_id = $1', [org.orgId])
    expect(rows).toEqual([])
  })

  it('the operator reads any organisation’s, others only their own', async () => {
    await org.start(mobileMoneyPayin())
    const asked = { as: t.seed.platformAdmin.api_key }
    const { body } = await t.call('GET', `${trendsPath}?org_id=${org.orgId}`, asked)
    expect(body.data.totals).toHaveLength(1)
    expect((await org.call('GET', `${trendsPath}?org_id=${t.seed.orgs[0]?.org_id}`)).status).toBe(403)
  })
})

describe('the operator, who names no organisation', () => {
  const countOf = async (currency: string): Promise<number> => {
    const { body } = await t.call('GET', trendsPath, { as: t.seed.platformAdmin.api_key })
    return body.data.totals.find((one: Json) => one.currency === currency)?.count ?? 0
  }

  it('sees the trends of all organisations together, folded or not', async () => {
    const before = await countOf('UGX')
    const other = await openPayments(t)
    await org.start(mobileMoneyPayin())
    await fold()
    await other.start(mobileMoneyPayin())
    expect(await countOf('UGX')).toBe(before + 2)
  })

  it('sees the users and payments of all organisations together', async () => {
    const geography = async (): Promise<Json> =>
      (await t.call('GET', geographyPath, { as: t.seed.platformAdmin.api_key })).body.data
    const before = await geography()
    await addPerson(t, org.orgId, 'viewer')
    const other = await openPayments(t)
    await addPerson(t, other.orgId, 'viewer')
    const after = await geography()
    expect(after.total_users - before.total_users).toBeGreaterThanOrEqual(2)
  })
})

describe('geography: 200', () => {
  it('users by country with their share, and payments by country and currency', async () => {
    await addPerson(t, org.orgId, 'viewer')
    await t.owner.query(`update members set country = 'NG' where org_id = $1 and role = 'org-admin'`, [
      org.orgId,
    ])
    await org.start(kenyanPayin())
    const { data } = (await org.call('GET', geographyPath)).body
    expect(data.total_users).toBe(2)
    expect(data.countries).toMatchObject([
      { country: null, name: 'Unknown', count: 1, percentage: 50, payments: [] },
      { country: 'NG', name: 'Nigeria', count: 1, percentage: 50, payments: [] },
      {
        country: 'KE',
        name: 'Kenya',
        count: 0,
        percentage: 0,
        payments: [{ currency: 'KES', count: 1, volume: 100 }],
      },
    ])
  })
})

describe('400', () => {
  it.each([
    'dateFrom=2026-01-02&dateTo=2026-01-01',
    'dateFrom=2025-01-01&dateTo=2026-01-02',
    'dateFrom=yesterday',
    'dateFrom=2026-02-30',
    'timeZone=Mars/Olympus',
    'timeZone=%2B01:00',
    "timeZone=UTC';--",
    'org_id=1',
  ])('trends with %s', async (query) => {
    expect((await org.call('GET', `${trendsPath}?${query}`)).status).toBe(400)
  })

  it('366 days are allowed', async () => {
    expect((await org.call('GET', `${trendsPath}?dateFrom=2025-01-01&dateTo=2026-01-01`)).status).toBe(200)
  })
})

describe('403', () => {
  it('trends are for administrators', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const person = await addPerson(t, org.orgId, role)
      expect((await t.call('GET', trendsPath, { as: person.token })).status).toBe(403)
      expect((await t.call('GET', geographyPath, { as: person.token })).status).toBe(200)
    }
  })
})

describe('the rules', () => {
  it('a span without ends is the last thirty days in the caller’s time zone', () => {
    const now = new Date('2026-03-01T23:30:00Z')
    expect(spanOf({ from: undefined, to: undefined }, now, 'UTC')).toEqual({
      from: '2026-01-31',
      to: '2026-03-01',
    })
    expect(spanOf({ from: undefined, to: undefined }, now, 'Africa/Lagos').to).toBe('2026-03-02')
    expect(spanOf({ from: '2026-01-01', to: undefined }, now, 'UTC').to).toBe('2026-01-30')
  })

  it('days are counted over leap years and ends of months', () => {
    expect(daysIn({ from: '2024-02-28', to: '2024-03-01' })).toBe(3)
    expect(addDays('2025-12-31', 1)).toBe('2026-01-01')
  })

  it('time zones are IANA names', () => {
    expect(['UTC', 'Africa/Lagos', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1'].every(isTimeZone)).toBe(
      true,
    )
    expect(['', '+01:00', 'Lagos', '../etc'].some(isTimeZone)).toBe(false)
  })

  it('shares are exact for numbers beyond double precision', () => {
    expect(ratioDigits(1n, 3n, 4)).toBe('0.3333')
    expect(ratioDigits(2n, 3n, 4)).toBe('0.6667')
    expect(ratioDigits(10n ** 30n, 10n ** 30n, 4)).toBe('1.0000')
  })
})
