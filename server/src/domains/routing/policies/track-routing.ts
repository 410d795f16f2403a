import { boundedMap } from '../../../lib/flow/bounded-cache.ts'

/** The recent decisions of this process. If they are lost, the leader is determined from the signals again. */
export interface RoutingMemory {
  leaderOf(corridor: string): string | undefined
  lead(corridor: string, accountId: string): void
  /** The organisation's explorations on the UTC day of `at` that this process has begun. */
  explorationsOn(orgId: string, at: Date): number
  explore(orgId: string, at: Date): void
}

const corridorsLimit = 50_000
const organizationsLimit = 20_000

const dayLength = 'YYYY-MM-DD'.length
const dayOf = (at: Date): string => at.toISOString().slice(0, dayLength)

export function createRoutingMemory(): RoutingMemory {
  const leaders = boundedMap<string, string>(corridorsLimit)
  const explorations = boundedMap<string, { day: string; count: number }>(organizationsLimit)
  const explorationsOn = (orgId: string, at: Date): number => {
    const known = explorations.get(orgId)
    return known?.day === dayOf(at) ? known.count : 0
  }
  return {
    leaderOf: (corridor) => leaders.get(corridor),
    lead: (corridor, accountId) => void leaders.set(corridor, accountId),
    explorationsOn,
    explore: (orgId, at) =>
      void explorations.set(orgId, { day: dayOf(at), count: explorationsOn(orgId, at) + 1 }),
  }
}
