import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app/test-app.ts'
import { setUpRelayBench, until } from '../../../test/app/test-relay.ts'
import { noReceiver } from './outbox.ts'
import { createRelayMetrics } from './relay-metrics.ts'

const farAwayMs = 60_000
const bench = setUpRelayBench()

describe('hand-over', () => {
  test('a job is handed over with its payload and nothing else, under the id of its row', async () => {
    const outboxId = await bench.put()
    await bench.put({ objectKey: 'a/b c' })
    bench.start()
    await bench.untilEmpty()
    const namespace = bench.app.config.ENGINE_NAMESPACE
    const [plain, keyed] = bench.engine.handOvers.toSorted(
      (one, other) => one.path.length - other.path.length,
    )
    expect(plain).toMatchObject({
      path: `/${namespace}Things/do/send`,
      key: outboxId,
      body: { thingId: 'one' },
    })
    expect(keyed?.path).toBe(`/${namespace}Things/a%2Fb%20c/do/send`)
  })

  test('two relays together hand over each of 1,000 rows once', async () => {
    for (let count = 0; count < 1_000; count += 100)
      await Promise.all(Array.from({ length: 100 }, () => bench.put()))
    // Slow enough for both relays to work on a batch at the same time.
    bench.engine.delayMs = 20
    bench.start()
    bench.start()
    await bench.untilEmpty()
    const keys = bench.engine.handOvers.map(({ key }) => key)
    expect(keys).toHaveLength(1_000)
    expect(new Set(keys).size).toBe(1_000)
  })

  test('NOTIFY wakes the relay, with a poll interval of a minute', async () => {
    bench.start({ pollMs: farAwayMs })
    await bench.untilListening()
    const outboxIds: string[] = []
    for (let count = 1; count <= 5; count++) {
      outboxIds.push(await bench.put())
      await until('the hand-over', () => bench.engine.handOvers.length === count)
    }
    expect(bench.engine.handOvers.map(({ key }) => key)).toEqual(outboxIds)
  })

  test('a job whose NOTIFY was lost is found by polling', async () => {
    bench.start({ pollMs: 100 })
    await bench.untilListening()
    await bench.app.owner.query(
      `insert into outbox (org_id, outbox_id, service, handler, payload, is_ready, receiver)
       values ($1, gen_random_uuid(), 'Things', 'do', '{}', true, $2)`,
      [bench.app.seed.orgs[0]!.org_id, noReceiver],
    )
    await until('the hand-over', () => bench.engine.handOvers.length > 0)
    await bench.untilEmpty()
    expect(bench.engine.handOvers).toHaveLength(1)
  })

  test('a job is handed over when it is due, without a poll, and not before', async () => {
    bench.start({ pollMs: farAwayMs })
    const startedAt = performance.now()
    const later = await bench.put({ due: { inMs: 1_500 } })
    const atOnce = await bench.put()
    await until('both hand-overs', () => bench.engine.handOvers.length === 2)
    const handedOverAt = new Map(bench.engine.handOvers.map(({ key, at }) => [key, at - startedAt]))
    expect(handedOverAt.has(atOnce)).toBe(true)
    expect(handedOverAt.get(later)).toBeGreaterThanOrEqual(1_490)
  })
})

test('lanes behind more saturated ones than one round reaches are still served', async () => {
  const orgId = bench.app.seed.orgs[0]!.org_id
  const services = Array.from({ length: 70 }, (_, index) => `S${100 + index}`)
  for (const service of services) await bench.put({ service })
  const organizations = services.slice(0, 64).map((service) => ({ orgId, service }))
  bench.start({ saturated: () => ({ services: [], organizations }) })
  await until('the free lanes', () => bench.engine.handOvers.length === 6)
  const served = new Set(bench.engine.handOvers.map(({ path }) => /S\d+/.exec(path)?.[0]))
  expect(served).toEqual(new Set(services.slice(64)))
})

test('a relay that stops finishes its batch and claims no more', async () => {
  await bench.put()
  const relay = bench.start({ pollMs: 20 })
  await bench.untilEmpty()
  await relay.stop()
  await bench.put()
  bench.start()
  await bench.untilEmpty()
  expect(bench.engine.handOvers).toHaveLength(2)
})

describe('metrics', () => {
  const lines = async (registry: Registry): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('switchyard_outbox'))

  test('they report the backlog, accepted jobs and refused jobs', async () => {
    const registry = new Registry()
    const metrics = createRelayMetrics(registry, bench.app.deps.db)
    await bench.put({ due: { inMs: -10_000 } })
    const before = await lines(registry)
    expect(before).toContain('switchyard_outbox_pending 1')
    const age = before.find((line) => line.includes('oldest_age'))
    expect(Number(age?.split(' ')[1])).toBeGreaterThanOrEqual(10)
    bench.engine.statusOf = () => (bench.engine.handOvers.length === 1 ? 404 : 202)
    bench.start({ metrics })
    await bench.untilEmpty()
    expect(await lines(registry)).toEqual(
      expect.arrayContaining([
        'switchyard_outbox_pending 0',
        'switchyard_outbox_oldest_age_seconds 0',
        'switchyard_outbox_handed_over_total{service="Things"} 1',
        'switchyard_outbox_refused_total{service="Things",reason="refused"} 1',
      ]),
    )
  })

  test('without Postgres the gauges have no value, and the counters still have one', async () => {
    const registry = new Registry()
    const gone = await startTestApp()
    const metrics = createRelayMetrics(registry, gone.deps.db)
    metrics.count('unreachable', 'Things')
    await gone.close()
    expect(await lines(registry)).toEqual(
      expect.arrayContaining([
        'switchyard_outbox_pending Nan',
        'switchyard_outbox_refused_total{service="Things",reason="unreachable"} 1',
      ]),
    )
  })
})
