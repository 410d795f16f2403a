import { boundedMap } from '../../../../lib/flow/bounded-cache.ts'
import { createStartGate } from './pace-starts.ts'

/** Admitted: the caller calls `release` when its call has ended. Rejected: the caller tries again after `waitMs`. */
export type Admission = { release(hasResponded: boolean): void } | { waitMs: number }

/**
 * Where a call for a slot comes from. `claimed`: a delivery from the outbox, where it remains when it is rejected. `new`: a job of the
 * engine. `returning`: one that was rejected before; at a slow endpoint it has priority over the others.
 */
export type CallOrigin = 'claimed' | 'new' | 'returning'

/** Limits the concurrent calls per endpoint and per organisation, so that an endpoint that hangs starves no other. */
export interface Bulkheads {
  enter(orgId: string, endpointId: string, origin: CallOrigin): Promise<Admission>
  /** The endpoints whose deliveries should remain in the outbox for now. */
  closed(): string[]
}

const perEndpoint = 16
const perOrg = 128
const perProcess = 1024
/** While calls are faster than slowMs, up to queueLimit deliveries wait in this process rather than in the engine. */
const queueLimit = 256
/** With this many deliveries in its queue, an endpoint gets no more from the outbox. */
const closingQueue = 16
/** How long an endpoint that rejected a delivery from the outbox gets no more of them. */
const closedMs = 500
const slowMs = 500
/** A crash repeats the calls that are not yet recorded, so few of the calls that are faster than this run at a time. */
const fastMs = 50
const fastestDecay = 1.05
/** After this many consecutive calls without a response, an endpoint gets one call at a time until it responds. */
const unansweredLimit = 4
const endpointsLimit = 100_000
const initialAverageMs = 50
const newestWeight = 0.2
const shortestWaitMs = 1_000
const longestWaitMs = 60_000

interface Endpoint {
  slotsTaken: number
  /** The running calls, the oldest first. */
  calls: Set<{ startedAtMs: number }>
  /** Consecutive calls without a response. */
  unanswered: number
  /** The calls that wait for a slot, in order of arrival. */
  queue: Set<(isAdmitted: boolean) => void>
  /** Rejects the queue when the endpoint has become slow. It runs while there is a queue. */
  slownessTimer: NodeJS.Timeout | undefined
  averageMs: number
  /** A decaying minimum of the durations. Unlike the average, it does not grow when this process is busy. */
  fastestMs: number
  /** When a slot is free for the next delivery, after all that were rejected. */
  freeAtMs: number
  closedUntilMs: number
}

const newEndpoint = (): Endpoint => ({
  slotsTaken: 0,
  calls: new Set(),
  unanswered: 0,
  queue: new Set(),
  slownessTimer: undefined,
  averageMs: initialAverageMs,
  fastestMs: 0,
  freeAtMs: 0,
  closedUntilMs: 0,
})
const isUnresponsive = (endpoint: Endpoint): boolean => endpoint.unanswered >= unansweredLimit
const slotsOf = (endpoint: Endpoint): number => (isUnresponsive(endpoint) ? 1 : perEndpoint)

export function createBulkheads(now: () => number = () => performance.now()): Bulkheads {
  const endpoints = boundedMap<string, Endpoint>(endpointsLimit)
  const orgs = boundedMap<string, { running: number }>(endpointsLimit)
  const startGate = createStartGate()
  /** The endpoints that have calls or are closed. */
  const busy = new Map<string, Endpoint>()
  let total = 0
  return {
    async enter(orgId, endpointId, origin) {
      const endpoint = endpoints.get(endpointId) ?? newEndpoint()
      const org = orgs.get(orgId) ?? { running: 0 }
      endpoints.set(endpointId, endpoint)
      orgs.set(orgId, org)
      busy.set(endpointId, endpoint)
      const isBehindOthers = origin !== 'returning' && isSlow(endpoint, now()) && endpoint.freeAtMs > now()
      if (isBehindOthers || !(await takeSlot(endpoint, now))) return reject(endpoint, origin, now())
      if (org.running >= perOrg || total >= perProcess) {
        handOverSlot(endpoint)
        return reject(endpoint, origin, now())
      }
      org.running += 1
      total += 1
      const end = isFast(endpoint, now()) ? await startGate.begin() : undefined
      const call = { startedAtMs: now() }
      endpoint.calls.add(call)
      let isReleased = false
      return {
        release(hasResponded) {
          if (isReleased) return
          isReleased = true
          end?.()
          org.running -= 1
          total -= 1
          endpoint.calls.delete(call)
          recordCall(endpoint, hasResponded, { ...call, endedAtMs: now() })
          handOverSlot(endpoint)
        },
      }
    },
    closed() {
      for (const [endpointId, endpoint] of busy)
        if (endpoint.slotsTaken === 0 && endpoint.closedUntilMs <= now()) busy.delete(endpointId)
      return [...busy].filter(([, endpoint]) => isClosed(endpoint, now())).map(([endpointId]) => endpointId)
    },
  }
}

function isClosed(endpoint: Endpoint, nowMs: number): boolean {
  if (endpoint.closedUntilMs > nowMs || endpoint.queue.size >= closingQueue) return true
  const isFull = endpoint.slotsTaken >= slotsOf(endpoint)
  return isFull && (isUnresponsive(endpoint) || isSlow(endpoint, nowMs))
}

function reject(endpoint: Endpoint, origin: CallOrigin, nowMs: number): Admission {
  if (origin !== 'claimed') return { waitMs: reservedWaitMs(endpoint, nowMs) }
  endpoint.closedUntilMs = nowMs + closedMs
  return { waitMs: closedMs }
}

function takeSlot(endpoint: Endpoint, now: () => number): Promise<boolean> | boolean {
  if (endpoint.slotsTaken < slotsOf(endpoint)) {
    endpoint.slotsTaken += 1
    return true
  }
  if (isUnresponsive(endpoint) || isSlow(endpoint, now()) || endpoint.queue.size >= queueLimit) return false
  return new Promise((resolve) => {
    endpoint.queue.add(resolve)
    endpoint.slownessTimer ??= setInterval(() => {
      if (isSlow(endpoint, now())) rejectQueue(endpoint)
    }, slowMs)
  })
}

function answerFirst(endpoint: Endpoint, isAdmitted: boolean): boolean {
  const [first] = endpoint.queue
  if (!first) return false
  endpoint.queue.delete(first)
  if (endpoint.queue.size === 0) {
    clearInterval(endpoint.slownessTimer)
    endpoint.slownessTimer = undefined
  }
  first(isAdmitted)
  return true
}

function rejectQueue(endpoint: Endpoint): void {
  while (answerFirst(endpoint, false));
}

/** The expected duration of a call: the average, or the median age of the running calls if that is longer. */
function callMs({ calls, averageMs }: Endpoint, nowMs: number): number {
  const [median] = calls.values().drop(Math.floor(calls.size / 2))
  return Math.max(averageMs, median ? nowMs - median.startedAtMs : 0)
}

const isSlow = (endpoint: Endpoint, nowMs: number): boolean => callMs(endpoint, nowMs) > slowMs
const isFast = (endpoint: Endpoint, nowMs: number): boolean =>
  endpoint.fastestMs < fastMs && !isSlow(endpoint, nowMs)

/** Gives the slot to the first in the queue. An unresponsive endpoint rejects its whole queue. */
function handOverSlot(endpoint: Endpoint): void {
  if (isUnresponsive(endpoint)) rejectQueue(endpoint)
  if (!answerFirst(endpoint, true)) endpoint.slotsTaken -= 1
}

function recordCall(
  endpoint: Endpoint,
  hasResponded: boolean,
  { startedAtMs, endedAtMs }: { startedAtMs: number; endedAtMs: number },
): void {
  if (hasResponded && isUnresponsive(endpoint)) endpoint.freeAtMs = endedAtMs
  endpoint.unanswered = hasResponded ? 0 : endpoint.unanswered + 1
  const durationMs = endedAtMs - startedAtMs
  endpoint.averageMs += newestWeight * (durationMs - endpoint.averageMs)
  endpoint.fastestMs = Math.min(durationMs, Math.max(endpoint.fastestMs, 1) * fastestDecay)
}

/** Reserves a time at the endpoint's pace, so that rejected deliveries come back neither all at once nor too often. */
function reservedWaitMs(endpoint: Endpoint, nowMs: number): number {
  endpoint.freeAtMs = Math.max(endpoint.freeAtMs, nowMs) + callMs(endpoint, nowMs) / slotsOf(endpoint)
  return Math.round(Math.min(Math.max(endpoint.freeAtMs - nowMs, shortestWaitMs), longestWaitMs))
}
