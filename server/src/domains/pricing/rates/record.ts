import type { Database } from '../../../kernel/db/database.ts'

export interface MarketRate {
  currency: string
  perUsd: string
  source: string
  asOf: Date
}

/** A rate at which nothing can be paid yet. */
export interface LiveRate {
  fromCurrency: string
  toCurrency: string
  rate: string
  source: string
  createdAt: Date
}

export interface Quote extends LiveRate {
  orgRateId: string
  expiresAt: Date
  isExpired: boolean
  /** No payment has used it so far. */
  isUnused: boolean
}

/** What payments may use of a rate, in whole dollars; each quote states it in its own source currency. */
export interface RateLimits {
  perQuoteUsd: number
  perPairUsd: number
}

export interface RateDeps {
  db: Database
  quoteLifetimeMs: number
  rateLimits: RateLimits
}
