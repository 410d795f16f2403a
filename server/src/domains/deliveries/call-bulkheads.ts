import { boundedMap } from '../../lib/limits.ts'

/** Room for calls that are under way, per endpoint and per organisation, so that one that hangs starves nobody. */
export interface Bulkheads {
  /** Undefined when there is no room now; else call it when the call has ended, with how it went. */
  enter(orgId: string, endpointId: string): ((hasAnswered: boolean) => void) | undefined
}

const perEndpoint = 16
const perOrg = 64
const perProcess = 512
/** After this many calls in a row without any answer, an endpoint gets one call at a time until it answers. */
const silentLimit = 4
const endpointsLimit = 100_000

export function createBulkheads(): Bulkheads {
  const endpoints = boundedMap<string, { underWay: number; silent: number }>(endpointsLimit)
  const orgs = boundedMap<string, number>(endpointsLimit)
  let total = 0
  return {
    enter(orgId, endpointId) {
      const endpoint = endpoints.get(endpointId) ?? { underWay: 0, silent: 0 }
      const room = endpoint.silent >= silentLimit ? 1 : perEndpoint
      const orgUnderWay = orgs.get(orgId) ?? 0
      if (endpoint.underWay >= room || orgUnderWay >= perOrg || total >= perProcess) return undefined
      endpoint.underWay++
      endpoints.set(endpointId, endpoint)
      orgs.set(orgId, orgUnderWay + 1)
      total++
      return (hasAnswered) => {
        endpoint.underWay--
        endpoint.silent = hasAnswered ? 0 : endpoint.silent + 1
        orgs.set(orgId, Math.max(0, (orgs.get(orgId) ?? 1) - 1))
        total--
      }
    },
  }
}
