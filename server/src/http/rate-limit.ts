import type { Caller } from '../lib/access.ts'
import type { Clock } from '../lib/clock.ts'
import { createTokenBuckets } from './token-buckets.ts'

interface RateLimitOptions {
  perSecond: number
  burst: number
  clock: Clock
}

/** Limits each credential with a token bucket. Throws when the bucket is empty. */
export function createRateLimit(options: RateLimitOptions): (caller: Caller) => void {
  const take = createTokenBuckets({
    ...options,
    message: 'Too many requests for this credential. Wait and try again.',
  })
  return (caller) => {
    const { credential } = caller
    take(credential.kind === 'api_key' ? credential.apiKeyId : `${caller.orgId} ${caller.userId}`)
  }
}
