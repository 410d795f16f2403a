import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'

export interface MarketRate {
  currency: string
  perUsd: string
  source: string
  asOf: Date
}

export interface Quote {
  orgRateId: string
  fromCurrency: string
  toCurrency: string
  rate: string
  source: string
  createdAt: Date
  expiresAt: Date
}

export interface RateDeps {
  db: Database
  clock: Clock
  quoteLifetimeMs: number
}
