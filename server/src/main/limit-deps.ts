import type { PageDeps } from '../domains/products/checkout/record.ts'
import type { RateLimits } from '../domains/pricing/rates/record.ts'
import { createTokenBuckets } from '../http/limits/token-buckets.ts'
import type { Clock } from '../lib/clock.ts'
import type { Config } from './config.ts'

/** What the operator lets organisations and payers use. */
export interface LimitSettings extends Pick<PageDeps, 'pageRateLimit' | 'limitPages'> {
  quoteLifetimeMs: number
  ownRateMs: number
  rateLimits: RateLimits
  nameChecksPerDay: number
}

export function createLimitDeps(config: Config, clock: Clock): LimitSettings {
  const pageRateLimit = { perSecond: config.PAGE_RATE_LIMIT_PER_SECOND, burst: config.PAGE_RATE_LIMIT_BURST }
  const message = 'Too many requests. Wait and try again.'
  return {
    quoteLifetimeMs: config.QUOTE_LIFETIME_SECONDS * 1000,
    ownRateMs: config.REFUND_OWN_RATE_HOURS * 60 * 60_000,
    rateLimits: { perQuoteUsd: config.QUOTE_LIMIT_USD, perPairUsd: config.QUOTE_PAIR_LIMIT_USD },
    nameChecksPerDay: config.NAME_CHECKS_PER_DAY,
    pageRateLimit,
    limitPages: createTokenBuckets({ ...pageRateLimit, clock, message }),
  }
}
