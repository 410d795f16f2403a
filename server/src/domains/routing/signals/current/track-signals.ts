import type { Database } from '../../../../kernel/db/database.ts'
import type { Row } from '../../../../kernel/db/pipeline.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Log } from '../../../../lib/log.ts'
import { repeatEvery } from '../../../../lib/flow/repeat-every.ts'
import type { OngoingWindow } from '../maintenance/record.ts'
import { ongoingWindowsAcrossOrgs } from '../maintenance/store.ts'
import type { Corridor, RoutingSignals, Signal, Weights } from '../record.ts'
import {
  before,
  corridorOf,
  decay,
  floorTo,
  isEnough,
  keyOf,
  noWeights,
  toSignal,
  worstOf,
} from '../rules.ts'
import { signalStatementsAcrossOrgs, type HealthView, type OrgWeights, type PooledWeights } from './store.ts'

type ShownHealth = Pick<Signal, 'health' | 'since'>
type KnownWeights = Pick<PooledWeights, 'current' | 'updatedAt'>

export interface SignalCache extends RoutingSignals {
  /** The health as it is, to be shown. `read` may let a payment try a route that is down. */
  healthOf(orgId: string, corridor: Corridor): ShownHealth
  /** The worst that any organisation sees. */
  reportedHealthOf(corridor: Corridor): ShownHealth
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
const show = (view: ShownHealth | undefined): ShownHealth =>
  view ? { health: view.health, since: view.since } : alwaysHealthy

export function createSignalCache({ db, clock, log }: CacheDeps): SignalCache {
  const weights = createWeights(clock)
  let views = new Map<string, HealthView>()
  let reported = new Map<string, ShownHealth>()
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
    weights.add(found)
    views = new Map(found.views.map((row) => [`${row.orgId} ${corridorOf(row)}`, row]))
    reported = new Map(found.reported.map((row) => [corridorOf(row), row]))
    explorations.add(today, found.explorations)
    windows = Map.groupBy(found.windows, ({ accountId }) => accountId)
    readAt = now
  }

  /** What everybody sees, and what the organisation has seen itself. */
  const viewsFor = (orgId: string, corridor: string): HealthView[] =>
    [installationOrgId, orgId].flatMap((viewer) => views.get(`${viewer} ${corridor}`) ?? [])
  const healthFor = (orgId: string, corridor: string): ShownHealth => {
    const seen = viewsFor(orgId, corridor)
    const worst = worstOf(seen)
    // While a route is down for everybody, all organisations together try it as seldom as one.
    const down = seen.find(({ health }) => health === 'down')
    const isProbe = down && mayProbe(`${down.orgId} ${corridor}`, worst?.restUntil ?? null)
    return { ...show(worst), ...(isProbe === true && { health: 'degraded' }) }
  }

  return {
    read(orgId, key) {
      const known = weights.read(orgId, keyOf(key))
      const corridor = corridorOf(key)
      if (!known && viewsFor(orgId, corridor).length === 0) return undefined
      return toSignal(known ?? noWeights, healthFor(orgId, corridor))
    },
    healthOf: (orgId, corridor) => show(worstOf(viewsFor(orgId, corridorOf(corridor)))),
    reportedHealthOf: (corridor) => show(reported.get(corridorOf(corridor))),
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

interface CachedWeights {
  add(rows: Pick<SignalRows, 'pooled' | 'own'>): void
  read(orgId: string, key: string): Weights | undefined
}

/** An organisation with enough attempts is judged by them alone, so that no other one can mislead it. */
function createWeights(clock: Clock): CachedWeights {
  const pooled = new Map<string, KnownWeights>()
  const own = new Map<string, KnownWeights>()
  const age = ({ current, updatedAt }: KnownWeights): Weights =>
    decay(current, clock.now().getTime() - updatedAt.getTime())
  return {
    add(rows) {
      for (const row of rows.pooled) pooled.set(keyOf(row), row)
      for (const row of rows.own) own.set(`${row.orgId} ${keyOf(row)}`, row)
    },
    read(orgId, key) {
      const ofOrg = own.get(`${orgId} ${key}`)
      const aged = ofOrg && age(ofOrg)
      if (aged && isEnough(aged)) return aged
      own.delete(`${orgId} ${key}`)
      const ofAll = pooled.get(key)
      return ofAll && age(ofAll)
    },
  }
}

/** One at a time per process and view, so that a route that is still down costs few payments. */
function createProbes(clock: Clock): (view: string, restUntil: Date | null) => boolean {
  const probedAtMs = new Map<string, number>()
  return (view, restUntil) => {
    const now = clock.now().getTime()
    const hasRested = now >= (restUntil?.getTime() ?? 0)
    if (!hasRested || now - (probedAtMs.get(view) ?? 0) < probeEveryMs) return false
    probedAtMs.set(view, now)
    return true
  }
}

interface SignalRows {
  pooled: PooledWeights[]
  own: (PooledWeights & Pick<OrgWeights, 'orgId'>)[]
  views: HealthView[]
  reported: (Corridor & ShownHealth)[]
  explorations: Explorations[]
  windows: OngoingWindow[]
}
interface Explorations {
  orgId: string
  bucketStart: Date
  explorations: number
}

const readRows = (rows: Row[][]): SignalRows => {
  const [pooled = [], own = [], views = [], reported = [], explorations = [], windows = []] = rows
  return { pooled, own, views, reported, explorations, windows } as unknown as SignalRows // the statements name them so
}

interface ExplorationCount {
  add(day: Date, rows: readonly Explorations[]): void
  countOn(orgId: string, day: Date): number
}

/** Counts one day. Each bucket is replaced by what was read last, because buckets are counted again for a while. */
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
