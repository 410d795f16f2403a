import type { Counts, CorridorHealth } from '../record.ts'

/** What was seen at an account in a corridor lately: counts by the start of their bucket, and calls that hang now. */
export interface RecentOutcomes {
  buckets: readonly (Pick<Counts, 'answered' | 'faults'> & { bucketStart: Date })[]
  hanging: number
}

const second = 1_000
/** How far back the health looks. */
export const healthWindowMs = 120 * second
/** A call without an answer for this long counts as a fault while it hangs. */
export const hangingAfterMs = 5 * second

const fewestFaults = 5
/** A route goes down when half of the attempts of a few seconds are faults, or nearly all of two minutes. */
const sudden = { windowMs: 10 * second, share: 0.5 }
const lasting = { windowMs: healthWindowMs, share: 0.8 }
/** It is degraded from the first share on and healthy again below the second one, so that it does not alternate. */
const degradedWindowMs = 60 * second
const degradedFrom = 0.2
const degradedUntil = 0.1
const shortestDegradedMs = 30 * second

/** After each fault of a route that is down, nothing tries it for this long. */
const restMs = 10 * second
/** Answers without a fault that bring a route back: several at once, or one that has been the last word for a while. */
const answersToReturn = 3
const quietMs = 60 * second

interface Sum {
  answered: number
  faults: number
}

/** The next health of a corridor; the same object if nothing changes. Pure, so that it is tested second by second. */
export function nextHealth(
  current: CorridorHealth | undefined,
  recent: RecentOutcomes,
  now: Date,
): CorridorHealth | undefined {
  switch (current?.health ?? 'healthy') {
    case 'healthy':
      return fromHealthy(current, recent, now)
    case 'degraded':
      return fromDegraded(current as CorridorHealth, recent, now) // it has a health, so it exists
    case 'down':
      return fromDown(current as CorridorHealth, recent, now) // as above
  }
}

function fromHealthy(
  current: CorridorHealth | undefined,
  recent: RecentOutcomes,
  now: Date,
): CorridorHealth | undefined {
  if (isDown(recent, now, current?.since)) return down(now)
  const sum = sumOf(recent, now, { windowMs: degradedWindowMs, since: current?.since })
  return sum.faults >= fewestFaults && shareOf(sum) >= degradedFrom
    ? { health: 'degraded', since: now, restUntil: null }
    : current
}

function fromDegraded(current: CorridorHealth, recent: RecentOutcomes, now: Date): CorridorHealth {
  if (isDown(recent, now, current.since)) return down(now)
  const sum = sumOf(recent, now, { windowMs: degradedWindowMs, since: undefined })
  const hasLasted = now.getTime() - current.since.getTime() >= shortestDegradedMs
  // Faults from before the return of the route must not keep it degraded.
  const later = sumOf(recent, now, { windowMs: degradedWindowMs, since: current.since })
  const isQuiet = shareOf(sum) < degradedUntil || (later.answered > 0 && later.faults === 0)
  return hasLasted && isQuiet ? { health: 'healthy', since: now, restUntil: null } : current
}

function fromDown(current: CorridorHealth, recent: RecentOutcomes, now: Date): CorridorHealth {
  const lastFaultAt = Math.max(
    current.since.getTime(),
    ...recent.buckets.filter(({ faults }) => faults > 0).map(({ bucketStart }) => bucketStart.getTime()),
  )
  const answersSince = recent.buckets
    .filter(({ bucketStart, faults }) => faults === 0 && bucketStart.getTime() > lastFaultAt)
    .reduce((sum, { answered }) => sum + answered, 0)
  const isLastWord = answersSince > 0 && now.getTime() - lastFaultAt >= quietMs
  if (recent.hanging === 0 && (answersSince >= answersToReturn || isLastWord))
    return { health: 'degraded', since: now, restUntil: null }
  const restUntil = new Date(lastFaultAt + restMs)
  return current.restUntil && current.restUntil >= restUntil ? current : { ...current, restUntil }
}

const down = (now: Date): CorridorHealth => ({
  health: 'down',
  since: now,
  restUntil: new Date(now.getTime() + restMs),
})

const isDown = (recent: RecentOutcomes, now: Date, since: Date | undefined): boolean =>
  [sudden, lasting].some(({ windowMs, share }) => {
    const sum = sumOf(recent, now, { windowMs, since })
    return sum.faults >= fewestFaults && shareOf(sum) >= share
  })

function sumOf(
  { buckets, hanging }: RecentOutcomes,
  now: Date,
  { windowMs, since }: { windowMs: number; since: Date | undefined },
): Sum {
  const from = Math.max(now.getTime() - windowMs, since?.getTime() ?? 0)
  return buckets
    .filter(({ bucketStart }) => bucketStart.getTime() >= from)
    .reduce<Sum>(
      (sum, { answered, faults }) => ({ answered: sum.answered + answered, faults: sum.faults + faults }),
      { answered: hanging, faults: hanging },
    )
}

/** An attempt may be accepted in one bucket and fail in another, so the faults can outnumber the answers. */
const shareOf = ({ answered, faults }: Sum): number =>
  faults === 0 ? 0 : faults / Math.max(answered, faults)
