import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { boundedMap } from '../lib/bounded-cache.ts'

export interface BucketOptions {
  perSecond: number
  burst: number
  clock: Clock
  /** For whom it is too much, in the words of the message. */
  message: string
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

const bucketsLimit = 100_000

/** A token bucket per key, held by each api process for itself. Throws when it is empty. */
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
