import { boundedMap } from '../../lib/bounded-cache.ts'
import type { Clock } from '../../lib/clock.ts'

/** The health of a provider in a corridor, as observed by this process. */
export interface Breakers {
  isUnhealthy(corridor: string): boolean
  record(corridor: string, isHealthy: boolean): void
}

const failuresToTrip = 5
const restMs = 30_000
const corridorsLimit = 10_000

/** Per account: an organisation whose own keys fail must not make the provider unhealthy for the others. */
export const corridorKey = (accountId: string, country: string, method: string): string =>
  `${accountId} ${country} ${method}`

/**
 * Counts consecutive failed calls. An unhealthy provider is routed to last; after a rest it returns to its place,
 * and one more failure makes it unhealthy again.
 */
export function createBreakers(clock: Clock): Breakers {
  const corridors = boundedMap<string, { failures: number; restsUntilMs: number }>(corridorsLimit)
  return {
    isUnhealthy: (corridor) => (corridors.get(corridor)?.restsUntilMs ?? 0) > clock.now().getTime(),
    record(corridor, isHealthy) {
      if (isHealthy) {
        corridors.delete(corridor)
        return
      }
      const failures = (corridors.get(corridor)?.failures ?? 0) + 1
      const restsUntilMs = failures >= failuresToTrip ? clock.now().getTime() + restMs : 0
      corridors.set(corridor, { failures, restsUntilMs })
    },
  }
}
