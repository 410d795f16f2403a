import { Gauge, type Registry } from 'prom-client'
import type { Database } from './database.ts'
import { monotonicMs, type Clock } from '../../lib/clock.ts'
import { repeatEvery } from '../../lib/flow/repeat-every.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { judgeClock, type ClockVerdict } from './judge-clock.ts'
import { exchangeSkewsAcrossOrgs } from './process-clocks.ts'

interface ClockDeps {
  db: Database
  clock: Clock
  log: Log
  registry: Registry
}

export interface ClockWatch {
  start(): { stop(): Promise<void> }
  /** False if this process is the one whose clock is wrong. */
  isRight(): boolean
  /** Whether its clock agrees with the database's; false from the start of the watch until the first measurement. */
  isKnownRight(): boolean
}

const measureEveryMs = 5_000
/** A job may wait so much longer or shorter than it asked for. */
const agreesWithinMs = 2_000
/** The error of a measurement is at most half of the time that it took. */
const longestMs = 500

/**
 * Compares the clock of this process with the database's. Money does not depend on it, because everything that
 * decides about money is judged by the database's clock; signatures, tokens and the times that people read do.
 */
export function createClockWatch(deps: ClockDeps, limitMs: number): ClockWatch {
  const processId = newId()
  let verdict: ClockVerdict = 'right'
  let isKnownRight = true
  const gauge = new Gauge({
    name: 'switchyard_clock_skew_seconds',
    help: 'How far the clock of this process is ahead of the database’s; negative if it is behind',
    registers: [deps.registry],
  })
  const check = async (): Promise<{ hasMore: boolean }> => {
    const skewMs = await measureSkew(deps)
    if (skewMs === undefined) return { hasMore: false }
    gauge.set(skewMs / 1_000)
    isKnownRight = Math.abs(skewMs) <= agreesWithinMs
    const othersMs = await exchangeSkewsAcrossOrgs(deps.db, { processId, skewMs })
    const next = judgeClock({ ownMs: skewMs, othersMs }, limitMs)
    if (next !== verdict) report(deps.log, next, skewMs)
    verdict = next
    return { hasMore: false }
  }
  return {
    start() {
      isKnownRight = false
      return repeatEvery(measureEveryMs, check, (error) =>
        deps.log.warn({ err: error }, 'the clock could not be compared with the database’s'),
      )
    },
    isRight: () => verdict !== 'wrong',
    isKnownRight: () => isKnownRight,
  }
}

/** Undefined if the answer took so long that it says little. */
async function measureSkew({ db, clock }: ClockDeps): Promise<number | undefined> {
  const startMs = monotonicMs(clock)
  const databaseTime = await db.now()
  const tookMs = monotonicMs(clock) - startMs
  if (tookMs > longestMs) return undefined
  return clock.now().getTime() - tookMs / 2 - databaseTime.getTime()
}

function report(log: Log, verdict: ClockVerdict, skewMs: number): void {
  if (verdict === 'right') return log.warn('the clock of this process agrees with the database’s again')
  const difference = `${Math.abs(skewMs / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database’s`
  if (verdict === 'wrong')
    return log.error(
      `the clock of this process is ${difference}, and another process agrees with the database: this one is not ready until its clock is right`,
    )
  return log.error(
    `the clock of this process is ${difference}, and no other process agrees with the database: check the clock of the database first`,
  )
}
