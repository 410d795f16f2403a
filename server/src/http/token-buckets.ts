import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { boundedMap } from '../lib/bounded-cache.ts'

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

const bucketsLimit = 100_000

/** One token bucket per key, local to the process. Throws when the bucket is empty. */
export function createTokenBuckets(options: BucketOptions): (key: string) => void {
  const buckets = boundedMap<string, Bucket>(bucketsLimit)
  return (key) => {
    const nowMs = options.clock.now().getTime()
    const bucket = buckets.get(key) ?? { tokens: options.burst, filledAtMs: nowMs }
    const refill = ((nowMs - bucket.filledAtMs) / 1000) * options.perSecond
    bucket.tokens = Math.min(options.burst, bucket.tokens + Math.max(refill, 0))
    bucket.filledAtMs = nowMs
    buckets.set(key, bucket)
    if (bucket.tokens < 1)
      throw new AppError('RATE_LIMITED', 429, options.message, {
        retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / options.perSecond)),
      })
    bucket.tokens -= 1
  }
}
