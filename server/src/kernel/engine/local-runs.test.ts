import { describe, expect, test } from 'vitest'
import { setUpRelayBench, until } from '../../../test/app/test-relay.ts'
import type { LocalService } from './local-runs.ts'

const bench = setUpRelayBench()
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A service that counts its runs by the job's key and ends each as `ends` says. */
function countingService(ends: (run: number) => Promise<boolean> | boolean = () => true) {
  const runs = new Map<string, number>()
  const service: LocalService = {
    service: 'Local',
    async run({ payload }) {
      const { thingId } = payload as { thingId: string } // what put() writes
      const run = (runs.get(thingId) ?? 0) + 1
      runs.set(thingId, run)
      return (await ends(run)) ? null : { thingId, run }
    },
    saturated: () => ({ services: [], organizations: [] }),
  }
  return { service, runs }
}

const put = (thingId: string): Promise<string> => bench.put({ service: 'Local', payload: { thingId } })

describe('a job that ends here', () => {
  test('runs once, and the engine never hears of it', async () => {
    const { service, runs } = countingService()
    bench.start({ local: service })
    await put('one')
    await bench.untilEmpty()
    expect([...runs]).toEqual([['one', 1]])
    expect(bench.engine.handOvers).toEqual([])
  })

  test('runs without a poll, whose interval is a minute', async () => {
    const { service, runs } = countingService()
    bench.start({ local: service, pollMs: 60_000 })
    await bench.untilListening()
    await put('one')
    await bench.untilEmpty()
    expect([...runs]).toEqual([['one', 1]])
  })

  test('two relays together run each of 600 jobs once', async () => {
    const { service, runs } = countingService(() => pause(5).then(() => true))
    for (let count = 0; count < 600; count += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => put(String(count + index))))
    bench.start({ local: service })
    bench.start({ local: service })
    await bench.untilEmpty()
    expect(runs.size).toBe(600)
    expect(Math.max(...runs.values())).toBe(1)
  })

  test('it runs while the engine is down, beside jobs of the engine that wait', async () => {
    bench.engine.status = 503
    const { service, runs } = countingService()
    bench.start({ local: service, pollMs: 100 })
    await bench.put()
    await until('the outage', () => bench.engine.checkedAt.length > 0)
    await put('one')
    await until('the run', () => runs.size === 1)
    expect(await bench.stored()).not.toEqual([])
    bench.engine.status = 202
    await bench.untilEmpty()
  })
})

describe('a job that has to wait', () => {
  test('becomes work of the engine, under the id of its row', async () => {
    const { service, runs } = countingService(() => false)
    bench.start({ local: service })
    const outboxId = await put('one')
    await bench.untilEmpty()
    expect(bench.engine.handOvers).toMatchObject([{ key: outboxId, body: { thingId: 'one', run: 1 } }])
    expect([...runs]).toEqual([['one', 1]])
  })

  test('remains in the outbox while the engine is down, and is handed over once it is back', async () => {
    bench.engine.status = 503
    const { service, runs } = countingService(() => false)
    bench.start({ local: service, pollMs: 100 })
    const outboxId = await put('one')
    await until('the second run', () => (runs.get('one') ?? 0) >= 2)
    expect(await bench.stored()).toHaveLength(1)
    bench.engine.status = 202
    await bench.untilEmpty()
    expect(new Set(bench.engine.handOvers.map(({ key }) => key))).toEqual(new Set([outboxId]))
  })
})

describe('trouble', () => {
  test('a job that throws runs again after a wait', async () => {
    const ranAtMs: number[] = []
    const { service, runs } = countingService((run) => {
      ranAtMs.push(performance.now())
      if (run === 1) throw new Error('not yet')
      return true
    })
    bench.start({ local: service, pollMs: 100 })
    await put('one')
    await bench.untilEmpty()
    expect(ranAtMs[1]! - ranAtMs[0]!).toBeGreaterThan(900)
    expect([...runs]).toEqual([['one', 2]])
  })

  test('the lease of a long job is renewed, so that no other relay runs it', async () => {
    const end = Promise.withResolvers<boolean>()
    const { service, runs } = countingService(() => end.promise)
    // A renewal is due three times in a lease, so a busy machine may be seconds late.
    bench.start({ local: service, leaseSeconds: 4, pollMs: 50 })
    bench.start({ local: service, leaseSeconds: 4, pollMs: 50 })
    await put('one')
    await until('the run', () => runs.size === 1)
    const leaseEndsAt = Date.now() + (await bench.stored())[0]!.wait_seconds! * 1_000
    await until('the end of the first lease', () => Date.now() > leaseEndsAt)
    expect((await bench.stored())[0]!.wait_seconds).toBeGreaterThan(0)
    end.resolve(true)
    await bench.untilEmpty()
    expect([...runs]).toEqual([['one', 1]])
  })

  test('a relay that stops waits for what runs and claims no more', async () => {
    const { service, runs } = countingService(() => pause(300).then(() => true))
    const relay = bench.start({ local: service })
    await put('one')
    await until('the run', () => runs.size === 1)
    await relay.stop()
    expect(await bench.stored()).toEqual([])
    await put('two')
    expect(runs.has('two')).toBe(false)
    bench.start({ local: service })
    await bench.untilEmpty()
  })

  test('what this process has no capacity for remains in the outbox until it has', async () => {
    const orgId = bench.app.seed.orgs[0]!.org_id
    let isFull = false
    const release: (() => void)[] = []
    const { service, runs } = countingService(
      (): Promise<boolean> =>
        new Promise((resolve) => {
          isFull = true
          release.push(() => resolve(true))
        }),
    )
    const organizations = [{ orgId, service: 'Local' }]
    const saturated = (): ReturnType<LocalService['saturated']> => ({
      services: [],
      organizations: isFull ? organizations : [],
    })
    bench.start({ local: { ...service, saturated }, pollMs: 60_000 })
    await bench.untilListening()
    await put('one')
    await until('the first run', () => runs.size === 1)
    await put('two')
    await pause(200)
    expect(runs.size).toBe(1)
    isFull = false
    release[0]?.()
    await until('the second run', () => runs.size === 2)
    release[1]?.()
    await bench.untilEmpty()
  })

  test('it is claimed at once when there is capacity again by the end of the claim that left it out', async () => {
    const orgId = bench.app.seed.orgs[0]!.org_id
    const { service, runs } = countingService()
    let isClosed = false
    const saturated = (): ReturnType<LocalService['saturated']> => {
      const organizations = isClosed ? [{ orgId, service: 'Local' }] : []
      isClosed = false
      return { services: [], organizations }
    }
    bench.start({ local: { ...service, saturated }, pollMs: 60_000 })
    await bench.untilListening()
    await pause(200)
    isClosed = true
    await put('one')
    await bench.untilEmpty()
    expect(runs.size).toBe(1)
  })
})
