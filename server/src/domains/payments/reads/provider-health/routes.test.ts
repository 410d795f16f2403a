import { beforeAll, describe, expect, it } from 'vitest'
import { explainQuery } from '../../../../../test/sql/explain-query.ts'
import { addPerson } from '../../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import {
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { successRate } from './rules.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
  const byPhone = await org.start(mobileMoneyPayin())
  await org.start(cardPayin())
  await org.initiate(
    cardPayin({
      card_details: { card_number: '4000000000000002', expiry_month: '12', expiry_year: '2031', cvv: '123' },
    }),
  )
  await t.simulator.settle()
  await until('the payment by phone', async () => (await org.record(byPhone)).status === 'completed')
})

const path = '/v1/providers/health'
const read = (query = '', as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `${path}${query}`, { as })
const accountOf = async (provider: string, as?: string): Promise<Json> =>
  (await read('', as)).body.data.accounts.find((account: Json) => account.provider === provider)

describe('200', () => {
  it('counts attempts by account, outcome and refusal code, with the time to their outcome', async () => {
    const pawapay = await accountOf('pawapay')
    expect(pawapay).toMatchObject({
      account_id: expect.any(String),
      custody: 'pooled',
      attempts: 1,
      outcomes: { succeeded: 1, declined: 0, failed: 0, accepted: 0, unknown: 0, not_sent: 0, sending: 0 },
      success_rate: 1,
      declines: [],
    })
    const { p50, p95, p99 } = pawapay.seconds_to_outcome
    expect(p50).toBeGreaterThan(0)
    expect(p99).toBeGreaterThanOrEqual(p95)
    const stripe = await accountOf('stripe')
    expect(stripe).toMatchObject({ attempts: 2, success_rate: 0.5 })
    expect(stripe.outcomes.declined + stripe.outcomes.failed).toBe(1)
    expect(stripe.declines).toEqual([{ code: expect.any(String), count: 1 }])
  })

  it('filters by provider and window', async () => {
    const { accounts } = (await read('?provider=stripe')).body.data
    expect(accounts.map(({ provider }: Json) => provider)).toEqual(['stripe'])
    await t.owner.query(
      `update attempts set created_at = created_at - interval '2 hours', updated_at = updated_at - interval '2 hours'
       where org_id = $1 and provider = 'pawapay'`,
      [org.orgId],
    )
    expect(await accountOf('pawapay')).toBeUndefined()
    const { data } = (await read('?window_minutes=180&provider=pawapay')).body
    expect(data.accounts).toHaveLength(1)
    expect(new Date(data.until).getTime() - new Date(data.since).getTime()).toBe(180 * 60_000)
    expect(data.is_truncated).toBe(false)
  })

  it('shows an organisation its own attempts, and the operator those of all', async () => {
    const other = await openPayments(t)
    expect((await read('', other.credential)).body.data.accounts).toEqual([])
    const operators = await accountOf('stripe', t.seed.platformAdmin.api_key)
    expect(operators.attempts).toBeGreaterThanOrEqual(2)
  })

  it('is read by the index of organisation and time', async () => {
    const plan = await explainQuery(
      t.owner,
      `select * from attempts where org_id = $1 and attempt_no > 0 and created_at >= now() - interval '1 hour'
       order by created_at desc limit 100`,
      [org.orgId],
    )
    expect(plan).toContain('attempts_by_org_time')
  })
})

describe('400', () => {
  it.each(['?window_minutes=0', '?window_minutes=1441', '?window_minutes=x', '?provider='])(
    '%s',
    async (query) => {
      expect((await read(query)).status).toBe(400)
    },
  )
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  it.each([
    ['viewer', 403],
    ['staff', 403],
    ['org-admin', 200],
  ] as const)('%s: %i', async (role, status) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await read('', token)).status).toBe(status)
  })
})

describe('the success rate', () => {
  it('is of the attempts with an outcome only', () => {
    expect(successRate({ byState: { succeeded: 2, declined: 1, unknown: 5, accepted: 3 } })).toBe(0.6667)
    expect(successRate({ byState: { unknown: 5 } })).toBeNull()
  })
})
