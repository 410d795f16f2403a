import type { Database } from '../../../db/database.ts'
import type { Row } from '../../../db/pipeline.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { repeatEvery } from '../../../lib/repeat-every.ts'
import type { OngoingWindow } from '../maintenance/record.ts'
import { ongoingWindowsAcrossOrgs } from '../maintenance/store.ts'
import type { Corridor, RoutingSignals, Signal } from '../record.ts'
import { before, corridorOf, decay, floorTo, keyOf, noWeights, toSignal } from '../rules.ts'
import { signalStatementsAcrossOrgs, type StoredHealth, type StoredWeights } from './store.ts'

export interface SignalCache extends RoutingSignals {
  /** As it is, for those who show it; `read` may let a payment try a route that is down. */
  healthOf(corridor: Corridor): Pick<Signal, 'health' | 'since'>
  refresh(): Promise<void>
  /** Refreshes every second until it is stopped. */
  start(): { stop(): Promise<void> }
}

const second = 1_000
const dayMs = 24 * 60 * 60 * second
const refreshEveryMs = second
/** Rows are read again for a while after their time, because they become visible when their pass commits. */
const overlapMs = 15 * second
const explorationOverlapMs = 3 * 60 * second
/** A route that is down and has rested is shown as degraded to one payment in this time, which thereby tries it. */
const probeEveryMs = 2 * second

interface CacheDeps {
  db: Database
  clock: Clock
  log: Log
}

const alwaysHealthy = { health: 'healthy', since: null } as const

export function createSignalCache({ db, clock, log }: CacheDeps): SignalCache {
  const weights = new Map<string, StoredWeights>()
  let health = new Map<string, StoredHealth>()
  let windows = new Map<string, OngoingWindow[]>()
  const explorations = createExplorationCount()
  const mayProbe = createProbes(clock)
  let readAt = new Date(0)

  const refresh = async (): Promise<void> => {
    const now = clock.now()
    const today = floorTo(now, dayMs)
    const isFirst = readAt.getTime() === 0
    const recently = before(now, explorationOverlapMs)
    const rows = await db.batchAcrossOrgs([
      ...signalStatementsAcrossOrgs({
        weights: before(readAt, overlapMs),
        explorations: isFirst || recently < today ? today : recently,
      }),
      ongoingWindowsAcrossOrgs(now),
    ])
    const found = readRows(rows)
    for (const row of found.weights) weights.set(keyOf(row), row)
    health = new Map(found.health.map((row) => [corridorOf(row), row]))
    explorations.add(today, found.explorations)
    windows = Map.groupBy(found.windows, ({ accountId }) => accountId)
    readAt = now
  }

  const healthFor = (corridor: string): Pick<Signal, 'health' | 'since'> => {
    const row = health.get(corridor)
    if (!row) return alwaysHealthy
    const isProbe = row.health === 'down' && mayProbe(corridor, row)
    return { health: isProbe ? 'degraded' : row.health, since: row.since }
  }

  return {
    read(key) {
      const row = weights.get(keyOf(key))
      const corridor = corridorOf(key)
      if (!row && !health.has(corridor)) return undefined
      const aged = row ? decay(row.current, clock.now().getTime() - row.updatedAt.getTime()) : noWeights
      return toSignal(aged, healthFor(corridor))
    },
    healthOf(corridor) {
      const row = health.get(corridorOf(corridor))
      return row ? { health: row.health, since: row.since } : alwaysHealthy
    },
    isInMaintenance: (accountId, at) =>
      windows.get(accountId)?.some(({ startsAt, endsAt }) => startsAt <= at && at < endsAt) ?? false,
    explorationsOn: (orgId, at) => explorations.countOn(orgId, floorTo(at, dayMs)),
    refresh,
    start: () =>
      repeatEvery(
        refreshEveryMs,
        async () => {
          await refresh()
          return { hasMore: false }
        },
        (error) => log.warn({ err: error }, 'the routing signals could not be refreshed'),
      ),
  }
}

/** One at a time per process, so that a route that is still down costs few payments. */
function createProbes(clock: Clock): (corridor: string, health: StoredHealth) => boolean {
  const probedAtMs = new Map<string, number>()
  return (corridor, { restUntil }) => {
    const now = clock.now().getTime()
    const hasRested = now >= (restUntil?.getTime() ?? 0)
    if (!hasRested || now - (probedAtMs.get(corridor) ?? 0) < probeEveryMs) return false
    probedAtMs.set(corridor, now)
    return true
  }
}

interface SignalRows {
  weights: StoredWeights[]
  health: StoredHealth[]
  explorations: Explorations[]
  windows: OngoingWindow[]
}
interface Explorations {
  orgId: string
  bucketStart: Date
  explorations: number
}

const readRows = ([weights = [], health = [], explorations = [], windows = []]: Row[][]): SignalRows =>
  ({ weights, health, explorations, windows }) as unknown as SignalRows // the statements name their columns so

interface ExplorationCount {
  add(day: Date, rows: readonly Explorations[]): void
  countOn(orgId: string, day: Date): number
}

/** Of one day: each bucket is replaced by what was read last, because buckets are counted again for a while. */
function createExplorationCount(): ExplorationCount {
  let dayOf = 0
  let buckets = new Map<string, Map<number, number>>()
  return {
    add(day, rows) {
      if (day.getTime() !== dayOf) buckets = new Map()
      dayOf = day.getTime()
      for (const { orgId, bucketStart, explorations } of rows) {
        const ofOrg = buckets.get(orgId) ?? new Map<number, number>()
        buckets.set(orgId, ofOrg.set(bucketStart.getTime(), explorations))
      }
    },
    countOn: (orgId, day) =>
      day.getTime() === dayOf
        ? [...(buckets.get(orgId)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
        : 0,
  }
}
