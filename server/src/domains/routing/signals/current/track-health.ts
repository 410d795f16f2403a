import type { Counts, CorridorHealth } from '../record.ts'

/** What an organisation saw at an account in a corridor lately: counts by bucket, and calls that hang now. */
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
/** Answers without a fault that bring a route back: several at once, or one that has been the latest for a while. */
const answersToReturn = 3
const quietMs = 60 * second

/** For everybody, an organisation counts like this many attempts at most: fewer than the faults that it takes. */
const mostOfOne = 3

/** Whose outcomes are judged: those of one organisation, or those of all for everybody. */
interface View {
  orgs: readonly RecentOutcomes[]
  isShared: boolean
}

/** The next health for one organisation; the same object if nothing changes. Pure, so that it is tested by the second. */
export const nextHealth = (
  current: CorridorHealth | undefined,
  recent: RecentOutcomes,
  now: Date,
): CorridorHealth | undefined => judge(current, { orgs: [recent], isShared: false }, now)

/** The next health for everybody, which no organisation can change alone. */
export const nextSharedHealth = (
  current: CorridorHealth | undefined,
  orgs: readonly RecentOutcomes[],
  now: Date,
): CorridorHealth | undefined => judge(current, { orgs, isShared: true }, now)

function judge(current: CorridorHealth | undefined, view: View, now: Date): CorridorHealth | undefined {
  switch (current?.health ?? 'healthy') {
    case 'healthy':
      return fromHealthy(current, view, now)
    case 'degraded':
      return fromDegraded(current as CorridorHealth, view, now) // it has a health, so it exists
    case 'down':
      return fromDown(current as CorridorHealth, view, now) // as above
  }
}

function fromHealthy(current: CorridorHealth | undefined, view: View, now: Date): CorridorHealth | undefined {
  if (isDown(view, now, current?.since)) return down(now)
  const sums = sumsOf(view, now, { windowMs: degradedWindowMs, since: current?.since })
  return hasFaults(sums, degradedFrom) ? { health: 'degraded', since: now, restUntil: null } : current
}

function fromDegraded(current: CorridorHealth, view: View, now: Date): CorridorHealth {
  if (isDown(view, now, current.since)) return down(now)
  const sums = sumsOf(view, now, { windowMs: degradedWindowMs, since: undefined })
  const hasLasted = now.getTime() - current.since.getTime() >= shortestDegradedMs
  // Faults from before the return of the route must not keep it degraded.
  const [later] = sumsOf(view, now, { windowMs: degradedWindowMs, since: current.since })
  const isQuiet =
    sums.some((sum) => shareOf(sum) < degradedUntil) || (later.answered > 0 && later.faults === 0)
  return hasLasted && isQuiet ? { health: 'healthy', since: now, restUntil: null } : current
}

/** The shared view leaves out the organisation with the last fault, so that it cannot block the route for the others. */
function fromDown(current: CorridorHealth, { orgs, isShared }: View, now: Date): CorridorHealth {
  const lastFaults = orgs.map(lastFaultOf).toSorted((a, b) => b - a)
  const lastFaultAt = Math.max(current.since.getTime(), lastFaults[isShared ? 1 : 0] ?? 0)
  const answersSince = orgs.reduce((sum, org) => {
    const from = Math.max(lastFaultAt, lastFaultOf(org))
    const later = org.buckets.filter(({ bucketStart }) => bucketStart.getTime() > from)
    return sum + later.reduce((total, { answered }) => total + answered, 0)
  }, 0)
  const hanging = orgs.filter((org) => org.hanging > 0).length
  const isLastWord = answersSince > 0 && now.getTime() - lastFaultAt >= quietMs
  if (hanging <= (isShared ? 1 : 0) && (answersSince >= answersToReturn || isLastWord))
    return { health: 'degraded', since: now, restUntil: null }
  const restUntil = new Date(lastFaultAt + restMs)
  return current.restUntil && current.restUntil >= restUntil ? current : { ...current, restUntil }
}

const lastFaultOf = ({ buckets }: RecentOutcomes): number =>
  Math.max(0, ...buckets.filter(({ faults }) => faults > 0).map(({ bucketStart }) => bucketStart.getTime()))

const down = (now: Date): CorridorHealth => ({
  health: 'down',
  since: now,
  restUntil: new Date(now.getTime() + restMs),
})

const isDown = (view: View, now: Date, since: Date | undefined): boolean =>
  [sudden, lasting].some(({ windowMs, share }) => hasFaults(sumsOf(view, now, { windowMs, since }), share))

interface Sum {
  answered: number
  faults: number
}

/** All attempts, and for everybody also those within the bound of each organisation: both must show the trouble. */
function sumsOf(
  { orgs, isShared }: View,
  now: Date,
  { windowMs, since }: { windowMs: number; since: Date | undefined },
): [Sum, ...Sum[]] {
  const from = Math.max(now.getTime() - windowMs, since?.getTime() ?? 0)
  const byOrg = orgs.map(({ buckets, hanging }) =>
    add(
      buckets.filter(({ bucketStart }) => bucketStart.getTime() >= from),
      { answered: hanging, faults: hanging },
    ),
  )
  return isShared ? [add(byOrg), add(byOrg.map(bound))] : [add(byOrg)]
}

const add = (sums: readonly Sum[], start: Sum = { answered: 0, faults: 0 }): Sum =>
  sums.reduce<Sum>(
    (sum, { answered, faults }) => ({ answered: sum.answered + answered, faults: sum.faults + faults }),
    start,
  )

function bound({ answered, faults }: Sum): Sum {
  const largest = Math.max(answered, faults)
  if (largest <= mostOfOne) return { answered, faults }
  return { answered: (answered * mostOfOne) / largest, faults: (faults * mostOfOne) / largest }
}

const hasFaults = (sums: readonly Sum[], share: number): boolean =>
  sums.every((sum) => sum.faults >= fewestFaults && shareOf(sum) >= share)

/** An attempt may be accepted in one bucket and fail in another, so the faults can outnumber the answers. */
const shareOf = ({ answered, faults }: Sum): number =>
  faults === 0 ? 0 : faults / Math.max(answered, faults)
