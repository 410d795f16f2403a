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

interface TokenBuckets {
  /**
   * Takes a token, or as many as something costs; throws when there are fewer. What costs more than a full bucket holds
   * takes a full one, and the bucket fills again from below zero.
   */
  (key: string, cost?: number): void
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
  return (key, cost = 1) => {
    const bucket = filled(key)
    buckets.set(key, bucket)
    const needed = Math.min(cost, options.burst)
    if (bucket.tokens < needed)
      throw new AppError('RATE_LIMITED', 429, options.message, {
        retryAfterSeconds: Math.max(1, Math.ceil((needed - bucket.tokens) / options.perSecond)),
      })
    bucket.tokens -= cost
  }
}
