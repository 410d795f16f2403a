import type { Caller } from '../../lib/requests/access.ts'
import type { Clock } from '../../lib/clock.ts'
import { createTokenBuckets } from './token-buckets.ts'

export interface RateLimits {
  perSecond: number
  burst: number
  /** For all credentials of one organisation together; a multiple of the above by default. */
  orgPerSecond?: number | undefined
  orgBurst?: number | undefined
}

const orgMultiple = 5

/** Limits each credential and each organisation with a token bucket. Throws when one of the two is empty. */
export function createRateLimit(options: RateLimits & { clock: Clock }): (caller: Caller) => void {
  const { perSecond, burst, clock } = options
  const takeOfCredential = createTokenBuckets({
    perSecond,
    burst,
    clock,
    message: 'Too many requests for this credential. Wait and try again.',
  })
  const takeOfOrg = createTokenBuckets({
    perSecond: options.orgPerSecond ?? perSecond * orgMultiple,
    burst: options.orgBurst ?? burst * orgMultiple,
    clock,
    message: 'Too many requests for this organisation. Wait and try again.',
  })
  return (caller) => {
    const { credential } = caller
    takeOfCredential(credential.kind === 'api_key' ? credential.apiKeyId : `${caller.orgId} ${caller.userId}`)
    takeOfOrg(caller.orgId)
  }
}
