import { describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { openPayments } from '../../../../test/worlds/test-payments.ts'
import { paystackFirst, policies, priority, usePolicies } from './testing/use-policies.ts'

const world = usePolicies()
const { t } = world

describe('400', () => {
  const strategies: [string, Json][] = [
    ['shares that do not sum up', { type: 'split', shares: [{ provider: 'paystack', percent: 99 }] }],
    [
      'an account twice',
      {
        type: 'split',
        shares: [
          { provider: 'paystack', percent: 50 },
          { provider: 'paystack', percent: 50 },
        ],
      },
    ],
    ['an unknown provider', { type: 'priority', order: [{ provider: 'nobody' }] }],
    ['a name that is none', { type: 'priority', order: [{}] }],
    ['a strategy that does not exist', { type: 'random' }],
    [
      'too much exploration',
      { type: 'success_rate', exploration_percent: 21, daily_limit: 1, hysteresis_percent: 1 },
    ],
  ]
  it.each(strategies)('%s', async (_name, otherwise) => {
    expect((await world.put({ rules: [], otherwise })).status).toBe(400)
    expect(await world.list()).toEqual([])
  })

  const conditions: [string, Json][] = [
    ['an unknown condition', { weather: 'rain' }],
    ['an empty list', { country: [] }],
    ['a time zone that does not exist', { time_of_day: { from: '08:00', to: '09:00', zone: 'Mars/Base' } }],
    ['an empty time', { time_of_day: { from: '08:00', to: '08:00', zone: 'UTC' } }],
    ['an amount with too many decimals', { amount: { currency: 'UGX', min: 0.5 } }],
    ['a range that is empty', { amount: { currency: 'NGN', min: 2, max: 1 } }],
  ]
  it.each(conditions)('%s', async (_name, when) => {
    expect(
      (await world.put({ rules: [{ name: 'A', when, strategy: priority }], otherwise: priority })).status,
    ).toBe(400)
  })

  it('two rules of the same name', async () => {
    const rule = { name: 'A', when: {}, strategy: priority }
    expect((await world.put({ rules: [rule, rule], otherwise: priority })).status).toBe(400)
  })
})

describe('403', () => {
  it('staff and viewers neither read nor change policies', async () => {
    const version = await world.published(paystackFirst)
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, world.org.orgId, role)
      expect((await t.call('GET', policies, { as: token })).status).toBe(403)
      expect((await world.put(paystackFirst, token)).status).toBe(403)
      for (const verb of ['publish', 'rollback'])
        expect((await world.act(version, verb, token)).status).toBe(403)
    }
  })

  it('another organisation’s policy and the installation’s cannot be changed', async () => {
    const stranger = await openPayments(t)
    const version = await world.published(paystackFirst)
    for (const org_id of [world.org.orgId, null]) {
      expect((await world.put(paystackFirst, stranger.credential, { org_id })).status).toBe(403)
      expect((await world.act(version, 'rollback', stranger.credential, { org_id })).status).toBe(403)
    }
    const read = await t.call('GET', `${policies}/${version}?org_id=${world.org.orgId}`, {
      as: stranger.credential,
    })
    expect(read.status).toBe(403)
  })
})

describe('404', () => {
  it('a version that does not exist, or only in another organisation', async () => {
    const stranger = await openPayments(t)
    const version = await world.published(paystackFirst)
    expect((await world.act(version, 'publish', stranger.credential)).status).toBe(404)
    expect((await world.act(99, 'rollback')).status).toBe(404)
    expect((await world.org.call('GET', `${policies}/99`)).status).toBe(404)
    expect((await world.org.call('GET', `${policies}/${version}/diff?against=99`)).status).toBe(404)
  })
})

describe('409', () => {
  it('a published version is not published again, and a draft is not restored', async () => {
    const first = await world.published(paystackFirst)
    expect((await world.act(first, 'publish')).status).toBe(409)
    expect((await world.act(first, 'rollback')).status).toBe(409)
    expect((await world.act(await world.drafted(paystackFirst), 'rollback')).status).toBe(409)
  })

  it('nothing is published that could be withdrawn', async () => {
    expect((await world.org.call('POST', `${policies}/withdraw`, {})).status).toBe(409)
  })

  it('the document of a version cannot be changed, not even in the database', async () => {
    const version = await world.published(paystackFirst)
    const change = t.deps.db.inOrg(world.org.orgId, (tx) =>
      tx.db
        .updateTable('routing_policy_versions')
        .set({ document: '{}' })
        .where('version', '=', version)
        .execute(),
    )
    await expect(change).rejects.toThrow('permission denied')
  })
})
