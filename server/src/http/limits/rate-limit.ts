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

/**
 * Limits what costs as much as many requests, by what it costs. Each organisation has as many tokens for it as for its
 * requests, and in a bucket of their own: a large file must not stop its payments.
 */
export function createCostLimit(
  options: RateLimits & { clock: Clock },
): (caller: Caller, cost: number) => void {
  const take = createTokenBuckets({
    ...ofOrg(options),
    clock: options.clock,
    message: 'Your organisation has sent more rows than are checked for it at a time. Wait and try again.',
  })
  return ({ orgId }, cost) => take(orgId, cost)
}

const ofOrg = (limits: RateLimits) => ({
  perSecond: limits.orgPerSecond ?? limits.perSecond * orgMultiple,
  burst: limits.orgBurst ?? limits.burst * orgMultiple,
})

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
    ...ofOrg(options),
    clock,
    message: 'Too many requests for this organisation. Wait and try again.',
  })
  return (caller) => {
    const { credential } = caller
    takeOfCredential(credential.kind === 'api_key' ? credential.apiKeyId : `${caller.orgId} ${caller.userId}`)
    takeOfOrg(caller.orgId)
  }
}
