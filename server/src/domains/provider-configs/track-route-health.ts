import type { Clock } from '../../lib/clock.ts'
import { boundedMap } from '../../lib/bounded-cache.ts'

/** Health of a provider in a corridor, as this process has seen it. */
export interface Breakers {
  isUnhealthy(corridor: string): boolean
  record(corridor: string, isHealthy: boolean): void
}

const failuresToTrip = 5
const restMs = 30_000
const corridorsLimit = 10_000

export const corridorKey = (provider: string, country: string, method: string): string =>
  `${provider} ${country} ${method}`

/**
 * Counts calls in a row that did not get through. An unhealthy provider is moved to the end of the routes instead
 * of being called first; after a rest it is tried in its place again, and one more failure sends it back.
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
