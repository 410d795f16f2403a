import { boundedMap } from '../../../lib/bounded-cache.ts'
import { createStartGate } from './pace-starts.ts'

/** Let in: call it when the call has ended, with how it went. Turned away: when to come back. */
export type Entry = { leave(hasAnswered: boolean): void } | { waitMs: number }

/** Room for calls that are under way, per endpoint and per organisation, so that one that hangs starves nobody. */
export interface Bulkheads {
  /** `hasWaited`: not its first try. Where some have to come back, they go before those who come for the first time. */
  enter(orgId: string, endpointId: string, hasWaited: boolean): Promise<Entry>
}

const perEndpoint = 16
const perOrg = 128
const perProcess = 1024
/** Who waits here rather than in the engine, as long as calls take no longer than this. */
const lineLimit = 256
const slowMs = 500
/** What arrived and was not yet recorded when the process dies arrives twice, so few fast calls run at a time. */
const fastMs = 50
const fadeOfFastest = 1.05
/** After this many calls in a row without any answer, an endpoint gets one call at a time until it answers. */
const silentLimit = 4
const endpointsLimit = 100_000
const firstGuessMs = 50
const newestShare = 0.2
const shortestWaitMs = 1_000
const longestWaitMs = 60_000

interface Endpoint {
  /** Places that are taken. */
  underWay: number
  /** When the calls that are under way began, the oldest first. */
  calls: Set<{ startedAtMs: number }>
  silent: number
  line: ((isLetIn: boolean) => void)[]
  averageMs: number
  /** The fastest of the last calls: unlike their average, it does not grow when this process is busy. */
  fastestMs: number
  /** When the place after all those that were turned away will be free. */
  freeAtMs: number
}

const newEndpoint = (): Endpoint => ({
  underWay: 0,
  calls: new Set(),
  silent: 0,
  line: [],
  averageMs: firstGuessMs,
  fastestMs: 0,
  freeAtMs: 0,
})
const isSilent = (endpoint: Endpoint): boolean => endpoint.silent >= silentLimit
const roomOf = (endpoint: Endpoint): number => (isSilent(endpoint) ? 1 : perEndpoint)

export function createBulkheads(now: () => number = () => performance.now()): Bulkheads {
  const endpoints = boundedMap<string, Endpoint>(endpointsLimit)
  const orgs = boundedMap<string, { underWay: number }>(endpointsLimit)
  const startGate = createStartGate()
  let total = 0
  return {
    async enter(orgId, endpointId, hasWaited) {
      const endpoint = endpoints.get(endpointId) ?? newEndpoint()
      const org = orgs.get(orgId) ?? { underWay: 0 }
      endpoints.set(endpointId, endpoint)
      orgs.set(orgId, org)
      const isBehindOthers = !hasWaited && isSlow(endpoint, now()) && endpoint.freeAtMs > now()
      if (isBehindOthers || !(await takePlace(endpoint, now)))
        return { waitMs: reservedWaitMs(endpoint, now()) }
      if (org.underWay >= perOrg || total >= perProcess) {
        passPlaceOn(endpoint)
        return { waitMs: reservedWaitMs(endpoint, now()) }
      }
      org.underWay += 1
      total += 1
      const end = isFast(endpoint, now()) ? await startGate.begin() : undefined
      const call = { startedAtMs: now() }
      endpoint.calls.add(call)
      return {
        leave(hasAnswered) {
          end?.()
          org.underWay -= 1
          total -= 1
          endpoint.calls.delete(call)
          noteCall(endpoint, hasAnswered, { ...call, endedAtMs: now() })
          passPlaceOn(endpoint)
        },
      }
    },
  }
}

function takePlace(endpoint: Endpoint, now: () => number): Promise<boolean> | boolean {
  if (endpoint.underWay < roomOf(endpoint)) {
    endpoint.underWay += 1
    return true
  }
  if (isSilent(endpoint) || isSlow(endpoint, now()) || endpoint.line.length >= lineLimit) return false
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isSlow(endpoint, now())) letIn(false)
    }, slowMs)
    const letIn = (isLetIn: boolean): void => {
      clearInterval(timer)
      endpoint.line = endpoint.line.filter((waiting) => waiting !== letIn)
      resolve(isLetIn)
    }
    endpoint.line.push(letIn)
  })
}

/** How long a call takes: as the last ones did, or as long as half of them have been under way. A few may hang. */
function callMs({ calls, averageMs }: Endpoint, nowMs: number): number {
  const [median] = calls.values().drop(Math.floor(calls.size / 2))
  return Math.max(averageMs, median ? nowMs - median.startedAtMs : 0)
}

const isSlow = (endpoint: Endpoint, nowMs: number): boolean => callMs(endpoint, nowMs) > slowMs
const isFast = (endpoint: Endpoint, nowMs: number): boolean =>
  endpoint.fastestMs < fastMs && !isSlow(endpoint, nowMs)

/** To the first in line; all of the line goes away when the endpoint has fallen silent. */
function passPlaceOn(endpoint: Endpoint): void {
  if (isSilent(endpoint)) for (const turnAway of endpoint.line) turnAway(false)
  const [next] = endpoint.line
  if (next) next(true)
  else endpoint.underWay -= 1
}

function noteCall(
  endpoint: Endpoint,
  hasAnswered: boolean,
  { startedAtMs, endedAtMs }: { startedAtMs: number; endedAtMs: number },
): void {
  if (hasAnswered && isSilent(endpoint)) endpoint.freeAtMs = endedAtMs
  endpoint.silent = hasAnswered ? 0 : endpoint.silent + 1
  const tookMs = endedAtMs - startedAtMs
  endpoint.averageMs += newestShare * (tookMs - endpoint.averageMs)
  endpoint.fastestMs = Math.min(tookMs, Math.max(endpoint.fastestMs, 1) * fadeOfFastest)
}

/** Each gets a time of its own, at the pace of the endpoint: they neither come back all at once nor too often. */
function reservedWaitMs(endpoint: Endpoint, nowMs: number): number {
  endpoint.freeAtMs = Math.max(endpoint.freeAtMs, nowMs) + callMs(endpoint, nowMs) / roomOf(endpoint)
  return Math.round(Math.min(Math.max(endpoint.freeAtMs - nowMs, shortestWaitMs), longestWaitMs))
}
