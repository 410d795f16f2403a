import { Registry } from 'prom-client'
import { Pool } from 'undici'
import { describe, expect, test } from 'vitest'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startIngressStandIn } from '../../../test/app/ingress-stand-in.ts'
import { startTestApp } from '../../../test/app/test-app.ts'
import { setUpRelayBench, until, type StoredRow } from '../../../test/app/test-relay.ts'
import { backoffSeconds } from './hand-over.ts'
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

  test('NOTIFY wakes the relay within 200 ms, with a poll interval of a minute', async () => {
    bench.start({ pollMs: farAwayMs })
    await bench.untilListening()
    const tookMs: number[] = []
    for (let count = 1; count <= 20; count++) {
      const committedAt = await bench.put().then(() => performance.now())
      await until('the hand-over', () => bench.engine.handOvers.length === count)
      tookMs.push(bench.engine.handOvers.at(-1)!.at - committedAt)
    }
    // A busy machine may delay one of them, but never as long as the poll interval.
    expect(tookMs.toSorted((one, other) => one - other)[10]).toBeLessThan(200)
    expect(Math.max(...tookMs)).toBeLessThan(1_000)
  })

  test('a job whose NOTIFY was lost is found by polling', async () => {
    bench.start({ pollMs: 100 })
    await bench.untilListening()
    await bench.app.owner.query(
      `insert into outbox (org_id, outbox_id, service, handler, payload)
       values ($1, gen_random_uuid(), 'Things', 'do', '{}')`,
      [bench.app.seed.orgs[0]!.org_id],
    )
    await until('the hand-over', () => bench.engine.handOvers.length > 0)
    await bench.untilEmpty()
    expect(bench.engine.handOvers).toHaveLength(1)
  })

  test('a job is handed over soon after its due time and not before', async () => {
    bench.start({ pollMs: farAwayMs })
    const startedAt = performance.now()
    await bench.put({ dueAt: new Date(Date.now() + 1_500) })
    await bench.put()
    await until('both hand-overs', () => bench.engine.handOvers.length === 2)
    const [atOnce, later] = bench.engine.handOvers.map(({ at }) => at - startedAt)
    expect(atOnce).toBeLessThan(1_400)
    expect(later).toBeGreaterThanOrEqual(1_490)
    expect(later).toBeLessThan(3_000)
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
    await bench.put({ dueAt: new Date(Date.now() - 10_000) })
    const before = await lines(registry)
    expect(before).toContain('switchyard_outbox_pending 1')
    expect(before.find((line) => line.includes('oldest_age'))).toMatch(/_seconds 1\d\.\d+$/)
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

describe('an engine that does not accept a job', () => {
  test('a refused job remains in the outbox and is retried with a growing delay', async () => {
    bench.engine.status = 404
    const outboxId = await bench.put()
    bench.start()
    await until('the second refusal', () => bench.engine.handOvers.length === 2)
    expect(bench.engine.handOvers[1]!.at - bench.engine.handOvers[0]!.at).toBeGreaterThan(900)
    const isPutBack = ({ attempts, wait_seconds }: StoredRow) => attempts === 2 && wait_seconds! < 2
    await until('the row to be put back', async () => (await bench.stored()).some(isPutBack))
    expect((await bench.stored())[0]!.wait_seconds).toBeGreaterThan(1)
    bench.engine.status = 202
    await bench.untilEmpty()
    expect(new Set(bench.engine.handOvers.map(({ key }) => key))).toEqual(new Set([outboxId]))
  })

  test('the wait between two refusals doubles up to half a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 100].map(backoffSeconds)).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  })

  test('a job that fails by itself does not delay the others', async () => {
    bench.engine.statusOf = (path) => (path.includes('Bad') ? 500 : 202)
    await bench.put({ service: 'Bad' })
    for (let count = 0; count < 20; count++) await bench.put()
    bench.start()
    await until('the bad one alone', async () => (await bench.stored()).length === 1)
    await bench.put()
    await until(
      'the next one',
      () => bench.engine.handOvers.filter(({ path }) => !path.includes('Bad')).length === 21,
    )
    const [row] = await bench.stored()
    expect(row!.wait_seconds).toBeGreaterThan(0)
    expect(bench.engine.questions).toBe(0)
  })

  test('while the engine is down rows are not claimed, and they are handed over once it is back', async () => {
    const port = await freePort()
    const away = new Pool(`http://127.0.0.1:${port}`)
    for (let count = 0; count < 300; count++) await bench.put()
    bench.start({ ingress: away })
    const isPutBack = ({ attempts, wait_seconds }: StoredRow) => attempts === 1 && wait_seconds! <= 0
    await until('the first batch to be put back', async () => (await bench.stored()).some(isPutBack))
    const tried = (await bench.stored()).filter(({ attempts }) => attempts > 0)
    expect(tried.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 50 }, () => 1))
    await bench.put()
    const back = await startIngressStandIn(port)
    await until('all hand-overs', () => back.handOvers.length === 301)
    await bench.untilEmpty()
    expect(new Set(back.handOvers.map(({ key }) => key)).size).toBe(301)
    await bench.stopAll()
    await back.close()
    await away.destroy()
  })

  test('an engine that is down is checked about once a second, however many jobs arrive', async () => {
    bench.engine.status = 503
    bench.start({ pollMs: 100 })
    await bench.put()
    await until('the first question', () => bench.engine.questions === 1)
    const startedAt = performance.now()
    while (bench.engine.questions < 3) await bench.put()
    expect(performance.now() - startedAt).toBeGreaterThan(1_500)
    expect(bench.engine.handOvers).toHaveLength(1)
  })

  test('an engine that answers 429 is left alone for a while, as one that is down', async () => {
    bench.engine.status = 429
    await bench.put()
    bench.start()
    await until('the health check', () => bench.engine.questions > 0)
    // Counted when the check arrives: it succeeds, so the next attempt may follow before anything else is read.
    expect(bench.engine.handOversBefore).toBe(1)
    bench.engine.status = 202
    await bench.untilEmpty()
  })

  test('a hand-over without an answer times out before another relay may claim the row', async () => {
    bench.engine.isSilent = true
    await bench.put()
    bench.start()
    bench.start()
    await until('the second try', () => bench.engine.handOvers.length === 2)
    expect(bench.engine.handOvers[1]!.at - bench.engine.handOvers[0]!.at).toBeGreaterThan(3_900)
    bench.engine.isSilent = false
    await bench.untilEmpty()
  }, 15_000)
})

describe('Postgres', () => {
  test('after its connections were terminated the relay listens again and continues', async () => {
    bench.start({ pollMs: farAwayMs })
    await bench.untilListening()
    await bench.app.owner.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename <> 'postgres'`,
    )
    await bench.untilListening()
    await bench.put()
    await until('the hand-over', () => bench.engine.handOvers.length > 0)
    await bench.untilEmpty()
    expect(bench.engine.handOvers).toHaveLength(1)
  })

  test('an idle relay queries about once per poll interval, and not in a loop', async () => {
    const { db } = bench.app.deps
    let asked = 0
    const counting = { ...db, acrossOrgs: ((work) => (asked++, db.acrossOrgs(work))) as typeof db.acrossOrgs }
    bench.start({ db: counting, pollMs: 200 })
    await bench.untilListening()
    const before = asked
    const startedAt = performance.now()
    await until('ten looks', () => asked >= before + 20)
    expect(performance.now() - startedAt).toBeGreaterThan(1_500)
  })

  test('a due row that another transaction has locked is not queried in a loop', async () => {
    const { db } = bench.app.deps
    let asked = 0
    const counting = { ...db, acrossOrgs: ((work) => (asked++, db.acrossOrgs(work))) as typeof db.acrossOrgs }
    await bench.put()
    const client = await bench.app.owner.connect()
    await client.query('begin; select from outbox for update')
    bench.start({ db: counting })
    const startedAt = performance.now()
    await until('ten looks', () => asked >= 20)
    const tookMs = performance.now() - startedAt
    await client.query('commit')
    client.release()
    expect(tookMs).toBeGreaterThan(300)
    await bench.untilEmpty()
  })
})
