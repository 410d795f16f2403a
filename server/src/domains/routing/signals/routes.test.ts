import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { explainQuery } from '../../../../test/sql/explain-query.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  createTestClock,
  installationAccountId,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { foldOutcomes } from './fold-outcomes.ts'
import { writeOutcomes } from './testing/write-outcomes.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
let stripe: string
beforeAll(async () => {
  org = await openPayments(t)
  stripe = await installationAccountId(t, 'stripe')
  await org.start(mobileMoneyPayin())
  await org.start(cardPayin())
  const refused = { card_number: '4000000000000002', expiry_month: '12', expiry_year: '2031', cvv: '123' }
  await org.initiate(cardPayin({ card_details: refused }))
  await t.simulator.settle()
  clock.pass(61_000)
  // The database is a copy of one that may be older than a pass catches up by.
  await t.owner.query(`update routing_fold_progress set folded_until = now() - interval '25 minutes'`)
  while ((await foldOutcomes(t.deps))?.isCaughtUp === false);
  // The hours are summed up once a minute.
  clock.pass(61_000)
  await foldOutcomes(t.deps)
})

const health = '/v1/routing/health'
const windows = '/v1/routing/maintenance-windows'
const read = (query = '', as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `${health}${query}`, { as })
const routeOf = async (provider: string, query = '', as?: string): Promise<Json> =>
  (await read(query, as)).body.data.routes.find((route: Json) => route.provider === provider)
const inMinutes = (minutes: number): string =>
  new Date(clock.now().getTime() + minutes * 60_000).toISOString()
const windowBody = (more: Json = {}): Json => ({
  account_id: stripe,
  starts_at: inMinutes(-1),
  ends_at: inMinutes(60),
  reason: 'Upgrade',
  ...more,
})
const schedule = (body: Json, as = t.seed.platformAdmin.api_key): Promise<CallAnswer> =>
  t.call('POST', windows, { as, body })

describe('200: health', () => {
  it('counts outcomes by account and corridor over time', async () => {
    const route = await routeOf('stripe')
    expect(route).toMatchObject({
      account_id: stripe,
      direction: 'payin',
      payment_method: 'card',
      health: 'healthy',
      since: null,
      is_in_maintenance: false,
      totals: {
        attempts: 2,
        succeeded: 1,
        provider_declines: 1,
        customer_declines: 0,
        unknown: 0,
        success_rate: 0.5,
      },
    })
    expect(route.buckets).toHaveLength(1)
    expect(route.buckets[0].start).toMatch(/:00:00.000Z$/)
    expect(route.totals.median_ms).toBeGreaterThan(0)
    expect((await routeOf('pawapay')).totals).toMatchObject({ attempts: 1, succeeded: 1, success_rate: 1 })
  })

  it('has buckets of minutes and days too, and filters', async () => {
    expect((await routeOf('stripe', '?bucket=minute')).totals.attempts).toBe(2)
    expect((await routeOf('stripe', '?bucket=day')).buckets).toHaveLength(1)
    expect((await read('?provider=stripe')).body.data.routes).toHaveLength(1)
    expect((await read(`?account_id=${newId()}`)).body.data.routes).toEqual([])
    expect((await read('?country=ZZ')).body.data.routes).toEqual([])
    expect((await read('?direction=payout')).body.data.routes).toEqual([])
    expect((await read(`?from=${inMinutes(-300)}&to=${inMinutes(-200)}`)).body.data.routes).toEqual([])
  })

  it('shows an organisation its own attempts, and the operator those of all', async () => {
    const other = await openPayments(t)
    expect((await read('', other.credential)).body.data.routes).toEqual([])
    const all = await routeOf('stripe', '', t.seed.platformAdmin.api_key)
    expect(all.totals.attempts).toBeGreaterThanOrEqual(2)
  })

  it('is read by the key of the organisation', async () => {
    await t.owner.query(
      `insert into routing_history (org_id, grain, bucket_start, account_id, direction, method, country, card_brand,
         provider, answered, faults, succeeded, customer_declines, provider_declines, failed, not_sent, unknown,
         cost_share, costed, latencies)
       select gen_random_uuid(), 'hour', now(), gen_random_uuid(), 'payin', 'card', 'NG', '', 'x', 1, 0, 0, 0, 0, 0, 0, 0,
         0, 0, '{}' from generate_series(1, 5000)`,
    )
    await t.owner.query('analyze routing_history')
    const plan = await explainQuery(
      t.owner,
      `select * from routing_history where org_id = $1 and grain = 'hour' and bucket_start >= now() - interval '1 day'`,
      [org.orgId],
    )
    expect(plan).toContain('routing_history_pkey')
  })
})

describe('201, 200, 204: maintenance windows', () => {
  it('are scheduled by the operator, shown to every organisation, and route payments away until they are deleted', async () => {
    const created = await schedule(windowBody())
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({ provider: 'stripe', org_id: null, created_by: null })
    const listed = (await org.call('GET', windows)).body.data.windows
    expect(listed.map(({ window_id }: Json) => window_id)).toContain(created.body.data.window_id)
    expect(t.deps.routingSignals.isInMaintenance(stripe, clock.now())).toBe(true)
    expect((await routeOf('stripe')).is_in_maintenance).toBe(true)
    const path = `${windows}/${created.body.data.window_id}`
    expect((await t.call('DELETE', path, { as: t.seed.platformAdmin.api_key })).status).toBe(204)
    expect(t.deps.routingSignals.isInMaintenance(stripe, clock.now())).toBe(false)
    expect((await t.call('DELETE', path, { as: t.seed.platformAdmin.api_key })).status).toBe(404)
  })

  it('of an organisation’s own account are its own business', async () => {
    const own = await openPayments(t)
    await own.ownAccount('paystack', { secretKey: 'sk_own', baseUrl: `${t.simulator.url}/paystack` })
    const { body } = await own.call('GET', '/v1/payments/provider-accounts')
    const { account_id } = body.data.find(({ org_id }: Json) => org_id !== null)
    const created = await schedule(windowBody({ account_id }), own.credential)
    expect(created.status).toBe(201)
    expect(created.body.data.org_id).toBe(own.orgId)
    expect((await org.call('GET', windows)).body.data.windows).toEqual([])
    expect((await org.call('DELETE', `${windows}/${created.body.data.window_id}`)).status).toBe(404)
    expect((await schedule(windowBody({ account_id }), org.credential)).status).toBe(404)
    expect((await own.call('DELETE', `${windows}/${created.body.data.window_id}`)).status).toBe(204)
  })
})

describe('a decision', () => {
  const reasonFor = async (provider: string): Promise<Json> => {
    const { body } = await t.call('POST', '/v1/payments-init/preview', {
      as: org.credential,
      body: cardPayin(),
      unaudited: true,
    })
    return body.data.considered.find((route: Json) => route.provider === provider)?.reason
  }

  it('prefers other accounts during maintenance', async () => {
    const { window_id } = (await schedule(windowBody())).body.data
    expect(await reasonFor('stripe')).toContain('in maintenance')
    await t.call('DELETE', `${windows}/${window_id}`, { as: t.seed.platformAdmin.api_key })
    expect(await reasonFor('stripe')).not.toContain('in maintenance')
  })

  it('prefers other accounts while one is down, also in a process that has seen no failure', async () => {
    const { country } = await routeOf('stripe')
    const failed = { orgId: org.orgId, accountId: stripe, provider: 'stripe', country, state: 'not_sent' }
    const answeredAt = clock.now()
    await writeOutcomes(
      t.owner,
      Array.from({ length: 6 }, () => ({ ...failed, answeredAt })),
    )
    await foldOutcomes(t.deps)
    await t.deps.routingSignals.refresh()
    expect(await reasonFor('stripe')).toContain('unhealthy')
    expect((await routeOf('stripe')).health).toBe('down')
  })
})

describe('400', () => {
  it.each([
    '?bucket=week',
    '?from=yesterday',
    '?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    '?bucket=minute&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z',
    '?country=Nigeria',
    '?account_id=1',
  ])('%s', async (query) => {
    expect((await read(query)).status).toBe(400)
  })

  it.each([
    { ends_at: '2020-01-01T00:00:00Z', starts_at: '2019-12-31T00:00:00Z' },
    { starts_at: '2036-03-02T00:00:00Z', ends_at: '2036-03-01T00:00:00Z' },
    { starts_at: '2036-03-01T00:00:00Z', ends_at: '2036-05-01T00:00:00Z' },
    { account_id: 'x' },
    { reason: '' },
  ])('a window with %o', async (more) => {
    expect((await schedule(windowBody(more))).status).toBe(400)
  })
})

describe('401', () => {
  it.each([
    ['GET', health],
    ['GET', windows],
    ['POST', windows],
    ['DELETE', `${windows}/${newId()}`],
  ])('%s %s without a credential', async (method, path) => {
    expect((await t.call(method, path, method === 'POST' ? { body: windowBody() } : {})).status).toBe(401)
  })
})

describe('403', () => {
  it('an organisation cannot schedule maintenance of the installation’s accounts, nor end it', async () => {
    expect((await schedule(windowBody(), org.credential)).status).toBe(403)
    const { window_id } = (await schedule(windowBody())).body.data
    expect((await org.call('DELETE', `${windows}/${window_id}`)).status).toBe(403)
    await t.call('DELETE', `${windows}/${window_id}`, { as: t.seed.platformAdmin.api_key })
  })

  it.each([
    ['viewer', 403],
    ['staff', 403],
    ['org-admin', 200],
  ] as const)('%s reads: %i', async (role, status) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await read('', token)).status).toBe(status)
    expect((await t.call('GET', windows, { as: token })).status).toBe(status)
    if (status === 403) expect((await schedule(windowBody(), token)).status).toBe(403)
  })
})

describe('404', () => {
  it('no such account, no such window', async () => {
    expect((await schedule(windowBody({ account_id: newId() }))).status).toBe(404)
    const path = `${windows}/${newId()}`
    expect((await t.call('DELETE', path, { as: t.seed.platformAdmin.api_key })).status).toBe(404)
  })
})

describe('409', () => {
  it('an account has a bounded number of windows', async () => {
    const account_id = await installationAccountId(t, 'pawapay')
    await t.owner.query(
      `insert into maintenance_windows (org_id, window_id, account_id, provider, starts_at, ends_at, created_by)
       select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, 'pawapay', now(), now() + interval '9 days', 'u'
       from generate_series(1, 100)`,
      [account_id],
    )
    expect((await schedule(windowBody({ account_id }))).status).toBe(409)
    await t.owner.query('delete from maintenance_windows')
  })
})
