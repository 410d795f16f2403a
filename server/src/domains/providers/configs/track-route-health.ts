import { boundedMap } from '../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../lib/clock.ts'

/** The health of a provider in a corridor for an organisation, as observed by this process. */
export interface Breakers {
  isUnhealthy(breaker: string): boolean
  record(breaker: string, isHealthy: boolean): void
}

const failuresToTrip = 5
const restMs = 30_000
const breakersLimit = 10_000

/** Per organisation and account: those whose requests or keys fail must not make the provider unhealthy for others. */
export const breakerKey = (
  orgId: string,
  accountId: string,
  { country, method }: { country: string; method: string },
): string => `${accountId} ${orgId} ${country} ${method}`

/**
 * Counts consecutive failed calls. An unhealthy provider is routed to last; after a rest it returns to its place,
 * and one more failure makes it unhealthy again.
 */
export function createBreakers(clock: Clock): Breakers {
  const breakers = boundedMap<string, { failures: number; restsUntilMs: number }>(breakersLimit)
  return {
    isUnhealthy: (breaker) => (breakers.get(breaker)?.restsUntilMs ?? 0) > clock.now().getTime(),
    record(breaker, isHealthy) {
      if (isHealthy) {
        breakers.delete(breaker)
        return
      }
      const failures = (breakers.get(breaker)?.failures ?? 0) + 1
      const restsUntilMs = failures >= failuresToTrip ? clock.now().getTime() + restMs : 0
      breakers.set(breaker, { failures, restsUntilMs })
    },
  }
}
