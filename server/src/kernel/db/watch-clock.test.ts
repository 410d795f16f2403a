import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/app/test-relay.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { judgeClock } from './judge-clock.ts'
import { createClockWatch } from './watch-clock.ts'

const limitMs = 2_000
const minuteMs = 60_000
const t = useApp()
const started: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((watch) => watch.stop()))
  await t.owner.query('delete from process_clocks')
})

/** A process of which only the clock matters. */
async function startProcess(aheadMs: number) {
  const lines: string[] = []
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const registry = new Registry()
  const clock = { now: () => new Date(Date.now() + aheadMs), monotonicMs: () => performance.now() }
  const watch = createClockWatch({ db: t.deps.db, clock, log: pino(output), registry }, limitMs)
  started.push(watch.start())
  const skewSeconds = async () => {
    const metric = await registry.getSingleMetric('switchyard_clock_skew_seconds')?.get()
    return metric?.values[0]?.value ?? 0
  }
  await until('the first measurement', async () => {
    const { rows } = await t.owner.query('select from process_clocks')
    return rows.length === started.length
  })
  return { watch, lines, skewSeconds }
}

describe('a process whose clock differs from the database’s', () => {
  it('is not ready while the clock of another process agrees with the database', async () => {
    const right = await startProcess(0)
    const wrong = await startProcess(-20 * minuteMs)
    await until('the verdict', async () => !wrong.watch.isRight())
    expect(right.watch.isRight()).toBe(true)
    expect(await wrong.skewSeconds()).toBeCloseTo(-1_200, 0)
    expect(await right.skewSeconds()).toBeCloseTo(0, 0)
    expect(wrong.lines.join()).toContain('1200.0 s behind the database’s, and another process agrees')
  })

  it('stays ready if no process agrees, and names the database', async () => {
    const first = await startProcess(20 * minuteMs)
    const second = await startProcess(20 * minuteMs)
    await until('the second verdict', async () => second.lines.length > 0)
    expect([first.watch.isRight(), second.watch.isRight()]).toEqual([true, true])
    for (const { lines } of [first, second])
      expect(lines.join()).toContain('1200.0 s ahead of the database’s, and no other process agrees')
  })
})

describe('a clock', () => {
  it.each([
    [{ ownMs: 2_000, othersMs: [] }, 'right'],
    [{ ownMs: -2_000, othersMs: [0] }, 'right'],
    [{ ownMs: 2_001, othersMs: [] }, 'database'],
    [{ ownMs: 2_001, othersMs: [2_000] }, 'wrong'],
    [{ ownMs: -2_001, othersMs: [9_000, -2_000] }, 'wrong'],
    [{ ownMs: -2_001, othersMs: [-2_001, 5_000] }, 'database'],
  ])('of which is known that %o is %s', (skews, verdict) => {
    expect(judgeClock(skews, limitMs)).toBe(verdict)
  })
})
