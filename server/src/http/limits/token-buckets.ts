import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'

interface BucketOptions {
  perSecond: number
  burst: number
  clock: Clock
  /** The message of the error that is thrown when a bucket is empty. */
  message: string
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

export interface TokenBuckets {
  /** Takes a token, or throws when the bucket is empty. */
  (key: string): void
  hasToken(key: string): boolean
}

const bucketsLimit = 100_000

/** One token bucket per key, local to the process. */
export function createTokenBuckets(options: BucketOptions): TokenBuckets {
  const buckets = boundedMap<string, Bucket>(bucketsLimit)
  const filled = (key: string): Bucket => {
    const nowMs = options.clock.now().getTime()
    const { tokens, filledAtMs } = buckets.get(key) ?? { tokens: options.burst, filledAtMs: nowMs }
    const refill = ((nowMs - filledAtMs) / 1000) * options.perSecond
    return { tokens: Math.min(options.burst, tokens + Math.max(refill, 0)), filledAtMs: nowMs }
  }
  const take = (key: string): void => {
    const bucket = filled(key)
    buckets.set(key, bucket)
    if (bucket.tokens < 1)
      throw new AppError('RATE_LIMITED', 429, options.message, {
        retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / options.perSecond)),
      })
    bucket.tokens -= 1
  }
  return Object.assign(take, { hasToken: (key: string): boolean => filled(key).tokens >= 1 })
}
