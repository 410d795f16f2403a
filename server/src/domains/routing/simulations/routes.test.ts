import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { explainQuery } from '../../../../test/sql/explain-query.ts'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { useApp, type CallAnswer, type Json } from '../../../../test/app/test-app.ts'
import { replayHistory } from './replay-history.ts'
import { requeueSimulations } from './requeue-simulations.ts'
import { fillHistory } from './testing/fill-history.ts'

const count = 3_000
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

const t = useApp()
let org: OpenedOrganization
const accounts = [
  { accountId: newId(), provider: 'paystack', percent: 70 },
  { accountId: newId(), provider: 'flutterwave', percent: 90 },
]
const now = Date.now()
const from = new Date(now - 80 * dayMs)
/** Often enough that a policy can learn within minutes. */
const betweenMs = 4_000
const until = new Date(from.getTime() + count * betweenMs)
beforeAll(async () => {
  org = await openOrganization(t)
  await fillHistory(t.owner, { orgId: org.orgId, payments: count, from, to: until, accounts })
}, 600_000)

const path = '/v1/routing/simulate'
const always = (provider: string): Json => ({
  rules: [],
  otherwise: { type: 'priority', order: [{ provider }] },
})
const start = (body: Json = {}, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', path, {
    as,
    body: { policy: always('flutterwave'), from: from.toISOString(), ...body },
  })
const read = (id: string, as = org.admin.token): Promise<CallAnswer> =>
  t.call('GET', `/v1/routing/simulations/${id}`, { as })
async function simulate(body: Json = {}): Promise<Json> {
  const { status, body: answer, text } = await start(body)
  if (status !== 202) throw new Error(text)
  await replayHistory(t.deps, { orgId: org.orgId, simulationId: answer.data.simulation_id })
  return (await read(answer.data.simulation_id)).body.data
}

describe('202, 200', () => {
  it('answers with an id, and then with progress and result', async () => {
    const { status, body } = await start()
    expect(status).toBe(202)
    expect(body.data).toMatchObject({ status: 'queued', result: null, progress: { payments_read: 0 } })
    expect((await read(body.data.simulation_id)).body.data.status).toBe('queued')
    const { rows } = await t.owner.query(`select payload from outbox where service = 'RoutingSimulations'`)
    expect(rows).toHaveLength(1)
    await replayHistory(t.deps, { orgId: org.orgId, simulationId: body.data.simulation_id })
    const done = (await read(body.data.simulation_id)).body.data
    expect(done).toMatchObject({
      status: 'completed',
      progress: { payments_read: count, payments_total: count },
      finished_at: expect.any(String),
    })
  })

  it('says how many payments would have moved, and what to expect, per corridor', async () => {
    const { result } = await simulate()
    expect(result).toMatchObject({ payments: count, moved: count / 2, without_data: 0, skipped: 0 })
    expect(result.before.success_rate.value).toBeCloseTo(0.8, 1)
    expect(result.after.success_rate.value).toBeCloseTo(0.9, 1)
    expect(result.after.success_rate.low).toBeLessThan(result.after.success_rate.value)
    expect(result.after.cost_share.value).toBeCloseTo(0.015, 3)
    const [corridor] = result.corridors
    expect(corridor).toMatchObject({
      direction: 'payin',
      payment_method: 'card',
      country: 'NG',
      card_brand: 'visa',
    })
    expect(corridor.accounts).toEqual([
      expect.objectContaining({ provider: 'flutterwave', payments_before: count / 2, payments_after: count }),
      expect.objectContaining({ provider: 'paystack', payments_before: count / 2, payments_after: 0 }),
    ])
  })

  it('replays every strategy, and prices both sides by the terms of the policy', async () => {
    const { result } = await simulate({
      policy: {
        rules: [
          {
            name: 'Businesses',
            when: { metadata: { customer_type: 'business' } },
            strategy: {
              type: 'success_rate',
              exploration_percent: 5,
              daily_limit: 50,
              hysteresis_percent: 2,
            },
          },
        ],
        otherwise: { type: 'cost' },
        costs: [
          { provider: 'paystack', percent: 1.5 },
          { provider: 'flutterwave', percent: 3 },
        ],
      },
    })
    expect(result.moved).toBeGreaterThan(count / 4)
    expect(result.after.success_rate.value).toBeGreaterThan(result.before.success_rate.value)
    expect(result.before.cost_share.value).toBeCloseTo(0.0225, 3)
    expect(result.after.cost_share.value).toBeGreaterThan(0.0225)
    expect(result.after.cost_known_for).toBe(count)
  }, 200_000)

  it('says where there is no data', async () => {
    await t.owner.query(
      `update payments set routing = jsonb_set(routing, '{considered,2}', $2::jsonb, true) where org_id = $1
         and created_at < $3`,
      [
        org.orgId,
        JSON.stringify({ provider: 'adyen', accountId: newId(), taken: true, reason: 'fits' }),
        new Date(from.getTime() + hourMs),
      ],
    )
    const to = new Date(from.getTime() + hourMs).toISOString()
    const { result } = await simulate({ policy: always('adyen'), to })
    expect(result.without_data).toBe(result.payments)
    expect(result.after.success_rate).toBeNull()
    expect(result.notes.join(' ')).toContain('no data in their corridor')
  })

  it('reads pages by the index of organisation and age', async () => {
    const plan = await explainQuery(
      t.owner,
      `select * from payments where org_id = $1 and (created_at, payment_id) > ($2, $3) and created_at < now()
       order by created_at, payment_id limit 2000`,
      [org.orgId, from, newId()],
    )
    expect(plan).toContain('payments_by_age')
  })

  it('is handed to the engine again by rebuild, and run twice gives one result', async () => {
    const { simulation_id } = (await start()).body.data
    expect(await requeueSimulations(t.deps)).toBe(1)
    const ids = { orgId: org.orgId, simulationId: simulation_id }
    await replayHistory(t.deps, ids)
    const first = (await read(simulation_id)).body.data
    await replayHistory(t.deps, ids)
    expect((await read(simulation_id)).body.data).toEqual(first)
    expect(await requeueSimulations(t.deps)).toBe(0)
  })
})

describe('400', () => {
  it.each([
    { from: new Date(now - 91 * dayMs).toISOString() },
    { from: new Date(now + dayMs).toISOString() },
    { to: new Date(now - 90 * dayMs).toISOString() },
    { from: 'yesterday' },
    { policy: { rules: [] } },
    { policy: { rules: [], otherwise: { type: 'fastest' } } },
  ])('%o', async (body) => {
    expect((await start(body)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('POST', path, { body: {} })).status).toBe(401)
    expect((await t.call('GET', `/v1/routing/simulations/${newId()}`)).status).toBe(401)
  })
})

describe('403', () => {
  it.each(['viewer', 'staff'] as const)('%s', async (role) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await start({}, token)).status).toBe(403)
    expect((await read(newId(), token)).status).toBe(403)
  })
})

describe('404', () => {
  it('no such simulation, and none of another organisation', async () => {
    const { simulation_id } = await simulate({ from: new Date(now - 2 * dayMs).toISOString() })
    const stranger = await openOrganization(t)
    expect((await read(simulation_id, stranger.admin.token)).status).toBe(404)
    expect((await read(newId())).status).toBe(404)
  })
})

describe('409', () => {
  it('while another one of the organisation is running', async () => {
    const { simulation_id } = (await start()).body.data
    expect((await start()).status).toBe(409)
    const stranger = await openOrganization(t)
    expect((await start({}, stranger.admin.token)).status).toBe(202)
    await replayHistory(t.deps, { orgId: org.orgId, simulationId: simulation_id })
  })
})
