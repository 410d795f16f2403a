import type { Caller } from '../lib/access.ts'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { boundedMap } from '../lib/limits.ts'

export interface RateLimitOptions {
  perSecond: number
  burst: number
  clock: Clock
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

const bucketsLimit = 100_000

/** A token bucket per credential, held by each api process for itself. */
export function createRateLimit(options: RateLimitOptions): (caller: Caller) => void {
  const buckets = boundedMap<string, Bucket>(bucketsLimit)
  return (caller) => {
    const { credential } = caller
    const key = credential.kind === 'api_key' ? credential.apiKeyId : `${caller.orgId} ${caller.userId}`
    const nowMs = options.clock.now().getTime()
    const bucket = buckets.get(key) ?? { tokens: options.burst, filledAtMs: nowMs }
    const refill = ((nowMs - bucket.filledAtMs) / 1000) * options.perSecond
    bucket.tokens = Math.min(options.burst, bucket.tokens + Math.max(refill, 0))
    bucket.filledAtMs = nowMs
    buckets.set(key, bucket)
    if (bucket.tokens < 1)
      throw new AppError('RATE_LIMITED', 429, 'Too many requests for this credential. Wait and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / options.perSecond)),
      })
    bucket.tokens -= 1
  }
}
