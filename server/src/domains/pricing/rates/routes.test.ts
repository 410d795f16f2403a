import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  renewRates,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { refreshRates } from './refresh-rates.ts'
import { pairRate } from './rules.ts'

const minuteMs = 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  t.simulator.setFaults('rates', [])
  await renewRates(t, clock)
  org = await openPayments(t)
})

const path = '/v1/organizations/admin/exchange-rate'
const ask = (from: string, to: string, of: OrgPayments = org): Promise<CallAnswer> =>
  of.call('GET', `${path}?fromCurrency=${from}&toCurrency=${to}`)
const rateOf = async (from: string, to: string, of: OrgPayments = org): Promise<number> =>
  (await ask(from, to, of)).body.data.rate

const storedQuotes = async (): Promise<number> => {
  const { rows } = await t.owner.query('select from rate_quotes where org_id = $1', [org.orgId])
  return rows.length
}

describe('200', () => {
  it('returns the rate with its id, inverse, source and expiry', async () => {
    const answer = await ask('USD', 'NGN')
    expect(answer.status).toBe(200)
    const { data } = answer.body
    expect(data).toEqual({
      org_rate_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fromCurrency: 'USD',
      toCurrency: 'NGN',
      rate: 1530.25,
      inverse_rate: expect.closeTo(1 / 1530.25, 15),
      source: 'feed',
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(answer.text).toContain('"rate":1530.25,')
    expect(new Date(data.expires_at).getTime() - new Date(data.created_at).getTime()).toBe(15 * minuteMs)
  })

  it.each([
    ['USD', 'USDC', '"rate":1.0,'],
    ['GBP', 'NGN', '"rate":1941.94162436548223,'],
    ['NGN', 'GBP', '"rate":0.000514948537820618,'],
    ['USD', 'BTC', '"rate":0.0000154,'],
  ])('from %s to %s: up to eighteen digits, with a fractional part', async (from, to, digits) => {
    expect((await ask(from, to)).text).toContain(digits)
  })

  it('a new rate is locked when the market moves; earlier ones hold until they expire', async () => {
    const first = (await ask('USD', 'GBP')).body.data
    t.simulator.setRates({ GBP: '0.9000' })
    await refreshRates(t.deps)
    const second = (await ask('USD', 'GBP')).body.data
    t.simulator.setRates({ GBP: '0.7880' })
    await refreshRates(t.deps)
    expect([first.rate, second.rate]).toEqual([0.788, 0.9])
    expect(second.org_rate_id).not.toBe(first.org_rate_id)
    for (const { org_rate_id, rate } of [first, second]) {
      const amounts = { amount: 25, currency: 'USD', target_amount: 25 * rate, target_currency: 'GBP' }
      expect((await org.initiate(cardPayin({ ...amounts, org_rate_id }))).status).toBe(200)
    }
  })

  it('the rate includes the margin of the caller’s organisation only', async () => {
    const other = await openPayments(t)
    await t.call('PATCH', `/v1/organizations/${org.orgId}`, {
      as: t.seed.platformAdmin.api_key,
      body: { rate_margin_bps: 150 },
    })
    expect(await rateOf('USD', 'NGN')).toBeCloseTo(1530.25 * 0.985, 10)
    expect(await rateOf('NGN', 'USD')).toBeCloseTo((1 / 1530.25) * 0.985, 15)
    expect(await rateOf('USD', 'NGN', other)).toBe(1530.25)
  })

  it('a viewer, who can start no payment, sees the rate, and nothing is locked', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const answer = await t.call('GET', `${path}?fromCurrency=USD&toCurrency=NGN`, { as: viewer.token })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ rate: 1530.25, org_rate_id: null, expires_at: null })
    expect(await storedQuotes()).toBe(0)
  })

  it('whoever may only approve payouts gets one to accept with the approval', async () => {
    const approver = await addPerson(t, org.orgId, 'viewer')
    await t.owner.query(
      `update members set grants = '{payouts:approve}' where org_id = $1 and user_id = $2`,
      [org.orgId, approver.userId],
    )
    const answer = await t.call('GET', `${path}?fromCurrency=USD&toCurrency=NGN`, { as: approver.token })
    expect(answer.body.data.org_rate_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('calls within five seconds share one quote, also at the same moment; later ones do not', async () => {
    const ids = async (count: number): Promise<Set<string>> =>
      new Set(
        (await Promise.all(Array.from({ length: count }, () => ask('USD', 'NGN')))).map(
          ({ body }) => body.data.org_rate_id,
        ),
      )
    const first = await ids(20)
    expect([first.size, await storedQuotes()]).toEqual([1, 1])
    clock.pass(6_000)
    const second = await ids(3)
    expect([second.size, first.isDisjointFrom(second), await storedQuotes()]).toEqual([1, true, 2])
  })

  it('no quote is shared with another pair, direction or organisation', async () => {
    const other = await openPayments(t)
    const answers = [
      await ask('USD', 'NGN'),
      await ask('NGN', 'USD'),
      await ask('USD', 'GBP'),
      await ask('USD', 'NGN', other),
    ]
    expect(new Set(answers.map(({ body }) => body.data.org_rate_id)).size).toBe(4)
  })
})

describe('400', () => {
  it.each([
    'fromCurrency=USD',
    'toCurrency=USD',
    'fromCurrency=USD&toCurrency=USD',
    'fromCurrency=usd&toCurrency=NGN',
    'fromCurrency=DOLLARS&toCurrency=NGN',
    'fromCurrency=USD&toCurrency=',
  ])('%s', async (query) => {
    const answer = await org.call('GET', `${path}?${query}`)
    expect([answer.status, answer.body.status]).toEqual([400, 'error'])
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', `${path}?fromCurrency=USD&toCurrency=NGN`)).status).toBe(401)
  })
})

describe('404', () => {
  it('a pair for which there is no rate, in either direction', async () => {
    for (const [from, to] of [['ISK', 'USD'] as const, ['USD', 'ISK'] as const]) {
      const answer = await ask(from, to)
      expect(answer.status).toBe(404)
      expect(answer.body.message).toContain(`from ${from} to ${to}`)
    }
  })
})

describe('503', () => {
  it('rates older than a quote is valid for are not quoted until they are refreshed', async () => {
    clock.pass(14 * minuteMs)
    expect((await ask('USD', 'NGN')).status).toBe(200)
    clock.pass(minuteMs)
    const answer = await ask('USD', 'NGN')
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '30'])
    await renewRates(t, clock)
    expect((await ask('USD', 'NGN')).status).toBe(200)
  })
})

describe('refreshing', () => {
  const fetched = (asOf: Date, perUsd: string): Json => ({ currency: 'NGN', perUsd, source: 'test', asOf })
  const feedOf = (rate: Json) => ({ ...t.deps, rateSource: { name: 'test', fetchRates: async () => [rate] } })

  it.each(['down', 'error_500', 'malformed_200'] as const)(
    'a feed that is broken (%s) leaves the rates as they are',
    async (fault) => {
      t.simulator.setFaults('rates', [{ on: 'any', fault }])
      await expect(refreshRates(t.deps)).rejects.toThrow(Error)
      expect(await rateOf('USD', 'NGN')).toBe(1530.25)
    },
  )

  it('a late, older response does not replace a newer one', async () => {
    await refreshRates(feedOf(fetched(new Date(clock.now().getTime() - 10 * minuteMs), '1')))
    expect(await rateOf('USD', 'NGN')).toBe(1530.25)
  })
})

describe('pairRate', () => {
  it('a margin never increases what the customer gets, in either direction', () => {
    for (const marginBps of [1, 50, 5000]) {
      expect(pairRate('1', '1530.25', marginBps).lt(pairRate('1', '1530.25', 0))).toBe(true)
      expect(pairRate('1530.25', '1', marginBps).lt(pairRate('1530.25', '1', 0))).toBe(true)
    }
    expect(pairRate('1', '1530.25', 5000).toFixed()).toBe('765.125')
  })
})
