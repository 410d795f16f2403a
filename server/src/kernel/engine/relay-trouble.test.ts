import { Pool } from 'undici'
import { describe, expect, test } from 'vitest'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startIngressStandIn } from '../../../test/app/ingress-stand-in.ts'
import { setUpRelayBench, until, type StoredRow } from '../../../test/app/test-relay.ts'
import { backoffSeconds } from './hand-over.ts'

const farAwayMs = 60_000
const bench = setUpRelayBench()

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
    await until('all hand-overs', () => back.handOvers.length === 301, 3_000)
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
    await until('the hand-over', () => bench.engine.handOvers.length > 0, 3_000)
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
