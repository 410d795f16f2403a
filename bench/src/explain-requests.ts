import type { LatencyFigures } from './results.ts'
import type { LoadResult } from './run-load.ts'
import { mean, quantile } from './statistics.ts'
import type { ApiTrace, Span, TracedCall } from './trace-options.ts'
import type { BackendSample } from './watch-postgres.ts'

export interface Observed {
  load: Pick<LoadResult, 'traced' | 'fdatasyncMs' | 'fdatasyncP99Ms' | 'diskSamples'>
  trace: ApiTrace
  backends: readonly BackendSample[]
  vacuums: readonly Span[]
  checkpoints: { writes: readonly Span[]; syncs: readonly Span[] }
}

interface Explained extends Span {
  tookMs: number
  /** Milliseconds by the name of a part. */
  parts: Record<string, number>
  met: readonly string[]
}

const slowestCount = 100
const longPauseMs = 2
const longPoolWaitMs = 1
/** A call of `fdatasync` is slow when it takes this many times its median. */
const slowDiskFactor = 4

const running = 'Postgres: running, or waiting for a processor'
const partNames = [
  'before the api has read it',
  'authentication, validation, route',
  'waiting for a connection',
  'Postgres, first transaction',
  'the provider',
  'Postgres, second transaction',
  'the rest of the api',
] as const

type Explanation = Omit<LatencyFigures, 'seconds' | 'perSecond'>

/** Joins what the load generator, the api and Postgres noted, and compares the slowest requests with all of them. */
export function explainRequests(observed: Observed): Explanation {
  const { load, trace } = observed
  const meetings = meetingsOf(observed)
  const explained = load.traced
    .flatMap((request) => {
      const served = trace.requests[String(request.number)]
      if (!served) return []
      const whole = { fromMs: request.dueAtMs, toMs: request.endedAtMs }
      const calls = served.calls.filter(({ toMs }) => toMs > 0 && toMs <= request.endedAtMs)
      const met = meetings.filter((meeting) => meeting.spans.some((span) => overlaps(span, whole)))
      const tookMs = whole.toMs - whole.fromMs
      const waited = calls.some((call) => call.kind === 'pool' && lengthOf(call) >= longPoolWaitMs)
      const names = [...met.map(({ name }) => name), ...(waited ? ['a wait for a connection'] : [])]
      return [{ ...whole, tookMs, calls, parts: partsOf(whole, served, calls), met: names }]
    })
    .toSorted((a, b) => b.tookMs - a.tookMs)
  if (explained.length === 0) throw new Error('no request was traced')
  const slowest = explained.slice(0, slowestCount)
  const took = explained.map(({ tookMs }) => tookMs).toReversed()
  const partMean = (of: readonly Explained[], name: string): number =>
    mean(of.map(({ parts }) => parts[name] ?? 0))
  const count = (of: readonly Explained[], name: string): number =>
    of.filter(({ met }) => met.includes(name)).length
  return {
    requests: explained.length,
    slowest: slowest.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    slowestFromMs: slowest.at(-1)?.tookMs ?? 0,
    fdatasyncMs: load.fdatasyncMs,
    fdatasyncP99Ms: load.fdatasyncP99Ms,
    parts: [
      ...partNames.map((name) => ({
        name,
        allMs: partMean(explained, name),
        slowestMs: partMean(slowest, name),
      })),
      ...waitParts(observed.backends, explained, slowest),
    ],
    coincidences: [...meetings.map(({ name }) => name), 'a wait for a connection'].map((name) => ({
      name,
      all: count(explained, name),
      slowest: count(slowest, name),
    })),
  }
}

const lengthOf = ({ fromMs, toMs }: Span): number => toMs - fromMs
const overlaps = (a: Span, b: Span): boolean => a.fromMs <= b.toMs && b.fromMs <= a.toMs
const total = (calls: readonly Span[]): number => calls.reduce((sum, call) => sum + lengthOf(call), 0)

/** The parts of a request follow each other, so what they leave of it is the api's own time. */
function partsOf(whole: Span, served: Span, calls: readonly TracedCall[]): Record<string, number> {
  const own = calls.filter(({ kind, isApp }) => kind === 'postgres' && isApp === true)
  const [first, second] = own
  const provider = calls.filter(({ kind }) => kind === 'provider')
  const waits = calls.filter(({ kind, fromMs }) => kind === 'pool' && fromMs >= (first?.fromMs ?? 0))
  const begun = calls.findLast(({ kind, toMs }) => kind === 'pool' && toMs <= (first?.fromMs ?? 0))
  const pooled = begun ? [begun, ...waits] : waits
  const until = begun?.fromMs ?? first?.fromMs ?? served.fromMs
  const times = [
    served.fromMs - whole.fromMs,
    until - served.fromMs,
    total(pooled),
    first ? lengthOf(first) : 0,
    total(provider),
    second ? lengthOf(second) : 0,
  ]
  const rest = lengthOf(whole) - times.reduce((sum, time) => sum + time, 0)
  return Object.fromEntries(partNames.map((name, index) => [name, times[index] ?? rest]))
}

/** What can slow down several requests at once. */
function meetingsOf({
  load,
  trace,
  vacuums,
  checkpoints,
}: Observed): { name: string; spans: readonly Span[] }[] {
  const slowFrom = load.fdatasyncMs * slowDiskFactor
  const slowDisk = load.diskSamples
    .filter(({ tookMs }) => tookMs >= slowFrom)
    .map(({ atMs, tookMs }) => ({ fromMs: atMs, toMs: atMs + tookMs }))
  return [
    { name: 'a checkpoint that writes', spans: checkpoints.writes },
    { name: 'a checkpoint that waits for the disk', spans: checkpoints.syncs },
    { name: `an fdatasync of ${slowDiskFactor} times the median`, spans: slowDisk },
    { name: 'an autovacuum', spans: vacuums },
    { name: 'a blocked event loop', spans: trace.blocks },
    {
      name: `a garbage collection of ${longPauseMs} ms`,
      spans: trace.collections.filter((span) => lengthOf(span) >= longPauseMs),
    },
  ]
}

type Served = Explained & { calls: readonly TracedCall[] }

/** Shares the time in Postgres out among what its backends were seen to do meanwhile. */
function waitParts(
  backends: readonly BackendSample[],
  explained: readonly Served[],
  slowest: readonly Served[],
): LatencyFigures['parts'] {
  const byPid = Map.groupBy(backends, ({ pid }) => pid)
  const countsOf = (of: readonly Served[]): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const call of of.flatMap(({ calls }) => calls.filter(({ isApp }) => isApp === true)))
      for (const { atMs, wait } of byPid.get(call.pid ?? 0) ?? [])
        if (atMs >= call.fromMs && atMs <= call.toMs) {
          const name = wait === undefined ? running : `Postgres: waiting for ${wait}`
          counts.set(name, (counts.get(name) ?? 0) + 1)
        }
    return counts
  }
  const inPostgres = (of: readonly Served[]): number =>
    mean(of.map(({ calls }) => total(calls.filter(({ isApp }) => isApp === true))))
  const [all, slow] = [countsOf(explained), countsOf(slowest)]
  const share = (counts: Map<string, number>, name: string): number =>
    (counts.get(name) ?? 0) /
    Math.max(
      1,
      [...counts.values()].reduce((sum, count) => sum + count, 0),
    )
  return [...all.keys()]
    .map((name) => ({
      name,
      allMs: share(all, name) * inPostgres(explained),
      slowestMs: share(slow, name) * inPostgres(slowest),
    }))
    .toSorted((a, b) => b.slowestMs - a.slowestMs)
}
