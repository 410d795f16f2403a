import { Pool } from 'undici'
import { describe, expect, test } from 'vitest'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startIngressStandIn } from '../../../test/app/ingress-stand-in.ts'
import { setUpRelayBench, until, type StoredRow } from '../../../test/app/test-relay.ts'
import type { Database } from '../db/database.ts'
import { backoffSeconds } from './hand-over.ts'

const farAwayMs = 60_000
const bench = setUpRelayBench()

describe('an engine that does not accept a job', () => {
  test('a refused job remains in the outbox and is retried with a growing delay', async () => {
    bench.engine.status = 404
    const outboxId = await bench.put()
    bench.start()
    await until('the third refusal', () => bench.engine.handOvers.length >= 3)
    const [first, second, third] = bench.engine.handOvers.map(({ at }) => at)
    expect(second! - first!).toBeGreaterThan(900)
    expect(third! - second!).toBeGreaterThan(1_900)
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
    expect(row!.wait_seconds).not.toBeNull()
    // Once the bad one is tried alone, the engine may be checked; not before.
    expect(bench.engine.handOversBefore ?? Infinity).toBeGreaterThanOrEqual(21)
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
    const { checkedAt } = bench.engine
    await until('the first check', () => checkedAt.length > 0)
    while (checkedAt.length < 3) await bench.put()
    expect(checkedAt[2]! - checkedAt[0]!).toBeGreaterThan(1_500)
    expect(bench.engine.handOvers).toHaveLength(1)
  })

  test('an engine that answers 429 is left alone for a while, as one that is down', async () => {
    bench.engine.status = 429
    await bench.put()
    bench.start()
    await until('the health check', () => bench.engine.checkedAt.length > 0)
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
    await until('the second try', () => bench.engine.handOvers.length >= 2)
    expect(bench.engine.handOvers[1]!.at - bench.engine.handOvers[0]!.at).toBeGreaterThan(3_900)
    bench.engine.isSilent = false
    await bench.untilEmpty()
  })
})

/** The database, and when the relay queried it. */
function watchQueries(): { db: Database; askedAt: number[] } {
  const { db } = bench.app.deps
  const askedAt: number[] = []
  const acrossOrgs: Database['acrossOrgs'] = (work) => {
    askedAt.push(performance.now())
    return db.acrossOrgs(work)
  }
  return { db: { ...db, acrossOrgs }, askedAt }
}

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
    const { db, askedAt } = watchQueries()
    bench.start({ db, pollMs: 200 })
    await bench.untilListening()
    const before = askedAt.length
    await until('ten looks', () => askedAt.length > before + 20)
    expect(askedAt[before + 20]! - askedAt[before]!).toBeGreaterThan(1_500)
  })

  test('a due row that another transaction has locked is not queried in a loop', async () => {
    const { db, askedAt } = watchQueries()
    await bench.put()
    const client = await bench.app.owner.connect()
    await client.query('begin; select from outbox for update')
    bench.start({ db })
    await until('ten looks', () => askedAt.length >= 20)
    await client.query('commit')
    client.release()
    expect(askedAt[19]! - askedAt[0]!).toBeGreaterThan(300)
    await bench.untilEmpty()
  })
})
