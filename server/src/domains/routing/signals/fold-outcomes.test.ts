import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { explainQuery } from '../../../../test/sql/explain-query.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import { useApp, type Json } from '../../../../test/app/test-app.ts'
import { createSignalCache, type SignalCache } from './current/track-signals.ts'
import { foldOutcomes, type FoldReport } from './fold-outcomes.ts'
import { noSignals } from './record.ts'
import { before } from './rules.ts'
import { writeOutcomes, type WrittenAttempt } from './testing/write-outcomes.ts'

const clock = createTestClock()
const t = useApp({ clock })
let orgId: string
let accountId: string
let cache: SignalCache
beforeEach(async () => {
  orgId = t.seed.orgs[0]?.org_id ?? ''
  accountId = newId()
  cache = createSignalCache(t.deps)
  // Each test starts minutes after the former one, with everything folded.
  clock.pass(10 * 60_000)
  while ((await fold()).isCaughtUp === false);
})

const fold = async (): Promise<FoldReport> => {
  const report = await foldOutcomes(t.deps)
  if (!report) throw new Error('another worker holds the lock')
  return report
}
const ago = (seconds: number): Date => before(clock.now(), seconds * 1_000)
const attempt = (state: string, more: Partial<WrittenAttempt> = {}): WrittenAttempt => ({
  orgId,
  accountId,
  state,
  answeredAt: ago(2),
  ...more,
})
const many = (count: number, one: () => WrittenAttempt): WrittenAttempt[] =>
  Array.from({ length: count }, one)
const key = () => ({ accountId, direction: 'payin', method: 'card', country: 'NG', cardBrand: null }) as const
const rowsOf = async (table: string): Promise<Json[]> =>
  (await t.owner.query(`select * from ${table} where account_id = $1 order by bucket_start`, [accountId]))
    .rows
const sumOf = (rows: Json[], column: string): number => rows.reduce((sum, row) => sum + row[column], 0)

describe('one pass', () => {
  it('counts outcomes by whose fault they are', async () => {
    await writeOutcomes(t.owner, [
      attempt('succeeded', { costMinor: 150 }),
      attempt('succeeded', { costMinor: 50 }),
      attempt('declined', { outcomeCode: 'INSUFFICIENT_FUNDS' }),
      attempt('declined', { outcomeCode: 'CARD_DECLINED' }),
      attempt('declined', { outcomeCode: 'PROVIDER_UNAVAILABLE' }),
      attempt('not_sent', { outcomeCode: 'not_sent' }),
      attempt('unknown', { outcomeCode: 'unknown' }),
      attempt('succeeded', { states: ['unknown', 'succeeded'] }),
      attempt('accepted'),
      attempt('failed', { outcomeCode: null }),
    ])
    await fold()
    const rows = await rowsOf('org_routing_buckets')
    const counts = Object.fromEntries(
      'answered faults succeeded customer_declines provider_declines failed not_sent unknown costed'
        .split(' ')
        .map((name) => [name, sumOf(rows, name)]),
    )
    expect(counts).toEqual({
      answered: 10,
      faults: 4,
      succeeded: 3,
      customer_declines: 2,
      provider_declines: 1,
      failed: 1,
      not_sent: 1,
      unknown: 2,
      costed: 2,
    })
    await cache.refresh()
    const signal = cache.read(orgId, key())
    expect(signal?.totalWeight).toBeCloseTo(6, 0)
    expect(signal?.successWeight).toBeCloseTo(3, 0)
    expect(signal?.unknownWeight).toBeCloseTo(2, 0)
    expect(signal?.costShare).toBeCloseTo(0.01, 4)
    expect(signal?.medianMs).toBeGreaterThan(500)
  })

  it('run again changes nothing', async () => {
    await writeOutcomes(
      t.owner,
      many(7, () => attempt('succeeded')),
    )
    await fold()
    const once = await rowsOf('org_routing_buckets')
    await fold()
    clock.pass(61_000)
    expect((await fold()).isThorough).toBe(true)
    expect(await rowsOf('org_routing_buckets')).toEqual(once)
    expect(sumOf(await rowsOf('routing_history'), 'succeeded')).toBe(2 * 7) // the minute and its hour
    clock.pass(16_000)
    await fold()
    expect(sumOf(await rowsOf('routing_history'), 'succeeded')).toBe(2 * 7)
  })

  it('a commit that arrives a minute late is counted by the next thorough pass, in its own time', async () => {
    await fold()
    const [late] = [ago(2)]
    clock.pass(60_000)
    await fold()
    await writeOutcomes(t.owner, [attempt('succeeded', { answeredAt: late })])
    clock.pass(16_000)
    await fold()
    const [row] = await rowsOf('org_routing_buckets')
    expect(row.succeeded).toBe(1)
    expect(Math.abs(row.bucket_start.getTime() - (late?.getTime() ?? 0))).toBeLessThan(5_000)
    await cache.refresh()
    expect(cache.read(orgId, key())?.successWeight).toBeGreaterThan(0.8)
  })

  it('settles each bucket once: the weight decays and is not added again', async () => {
    await writeOutcomes(
      t.owner,
      many(10, () => attempt('succeeded')),
    )
    for (let pass = 0; pass < 8; pass++) {
      await fold()
      clock.pass(30_000)
    }
    await cache.refresh()
    const weight = cache.read(orgId, key())?.successWeight ?? 0
    expect(weight).toBeGreaterThan(10 * 2 ** (-250 / 300) - 0.2)
    expect(weight).toBeLessThan(10 * 2 ** (-230 / 300) + 0.2)
  })

  it('of two workers at once one folds, and both together count each attempt once', async () => {
    await writeOutcomes(
      t.owner,
      many(5, () => attempt('succeeded')),
    )
    const reports = await Promise.all([foldOutcomes(t.deps), foldOutcomes(t.deps), foldOutcomes(t.deps)])
    expect(reports.filter((report) => report !== undefined).length).toBeGreaterThanOrEqual(1)
    await fold()
    expect(sumOf(await rowsOf('org_routing_buckets'), 'succeeded')).toBe(5)
  })

  it('catches up in chunks after the workers were down for an hour', async () => {
    const missed = ago(0)
    clock.pass(60 * 60_000)
    await writeOutcomes(
      t.owner,
      many(4, () => attempt('succeeded', { answeredAt: missed })),
    )
    await writeOutcomes(
      t.owner,
      many(3, () => attempt('succeeded')),
    )
    const passes = []
    do passes.push(await fold())
    while (passes.at(-1)?.isCaughtUp === false)
    expect(passes.length).toBeGreaterThan(3)
    const minutes = (await rowsOf('routing_history')).filter(({ grain }) => grain === 'minute')
    expect(minutes.map(({ succeeded }) => succeeded)).toEqual([4, 3])
    const hours = (await rowsOf('routing_history')).filter(({ grain }) => grain === 'hour')
    expect(sumOf(hours, 'succeeded')).toBe(7)
  })

  it('counts the explorations of an organisation today', async () => {
    await cache.refresh()
    const known = cache.explorationsOn(orgId, clock.now())
    await writeOutcomes(t.owner, [
      ...many(3, () => attempt('accepted', { isExploration: true })),
      attempt('accepted'),
    ])
    await fold()
    await fold()
    await cache.refresh()
    expect(cache.explorationsOn(orgId, clock.now())).toBe(known + 3)
    expect(cache.explorationsOn(newId(), clock.now())).toBe(0)
  })
})

describe('health', () => {
  const events = async (): Promise<Json[]> =>
    (
      await t.owner.query(
        `select org_id, sequence, data::jsonb as data from events where event_type = 'provider.health_changed'
           and data::jsonb ->> 'account_id' = $1 order by sequence`,
        [accountId],
      )
    ).rows
  const fails = () => attempt('declined', { outcomeCode: 'PROVIDER_UNAVAILABLE' })

  it('goes down for every process, and the operator hears of each change once', async () => {
    const other = createSignalCache(t.deps)
    await writeOutcomes(t.owner, many(6, fails))
    expect((await fold()).healthChanges).toBe(1)
    await fold()
    await Promise.all([cache.refresh(), other.refresh()])
    expect([cache.read(orgId, key())?.health, other.read(orgId, key())?.health]).toEqual(['down', 'down'])
    expect(other.read(orgId, { ...key(), cardBrand: 'visa' })?.health).toBe('down')
    expect(other.read(orgId, { ...key(), country: 'GH' })).toBeUndefined()
    expect((await events()).map(({ data }) => [data.health, data.previous_health])).toEqual([
      ['down', 'healthy'],
    ])
    expect((await events())[0].org_id).toBe(t.seed.platformAdmin.org_id)

    clock.pass(30_000)
    await fold()
    // After its rest one payment in two seconds tries it.
    expect(cache.read(orgId, key())?.health).toBe('degraded')
    expect(cache.read(orgId, key())?.health).toBe('down')
    await writeOutcomes(
      t.owner,
      many(3, () => attempt('accepted')),
    )
    await fold()
    clock.pass(31_000)
    await fold()
    expect((await events()).map(({ sequence, data }) => [Number(sequence), data.health])).toEqual([
      [1, 'down'],
      [2, 'degraded'],
      [3, 'healthy'],
    ])
  })

  it('counts attempts that hang and those whose outcome is unknown', async () => {
    await writeOutcomes(t.owner, [
      ...many(3, () => attempt('sending', { answeredAt: null, createdAt: ago(8) })),
      ...many(2, () => attempt('unknown')),
      attempt('sending', { answeredAt: null, createdAt: ago(1) }),
    ])
    await fold()
    await cache.refresh()
    expect(cache.read(orgId, key())?.health).toBe('down')
  })

  it('is not the customers’ fault: their declines change nothing', async () => {
    await writeOutcomes(
      t.owner,
      many(20, () => attempt('declined', { outcomeCode: 'INSUFFICIENT_FUNDS' })),
    )
    expect((await fold()).healthChanges).toBe(0)
  })
})

it('a process that has read nothing yet knows nothing and says so', () => {
  const now = clock.now()
  expect(cache.read(orgId, key())).toBe(noSignals.read(orgId, key()))
  expect(cache.isInMaintenance(accountId, now)).toBe(noSignals.isInMaintenance(accountId, now))
  expect(cache.explorationsOn(orgId, now)).toBe(noSignals.explorationsOn(orgId, now))
})

it('reads attempts by their indexes', async () => {
  const span = `>= now() - interval '10 seconds'`
  const plans = await Promise.all([
    explainQuery(t.owner, `select * from attempts where answered_at ${span}`),
    explainQuery(t.owner, `select * from attempts where ended_at ${span}`),
    explainQuery(t.owner, `select * from attempts where state = 'sending' and created_at ${span}`),
    explainQuery(t.owner, `select * from routing_history where grain = 'minute' and bucket_start ${span}`),
  ])
  expect(plans[0]).toContain('attempts_by_answer')
  expect(plans[1]).toContain('attempts_by_end')
  expect(plans[2]).toContain('attempts_by_creation')
  expect(plans[3]).toContain('routing_history')
})
