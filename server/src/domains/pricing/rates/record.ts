import type { Database } from '../../../kernel/db/database.ts'

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
  isExpired: boolean
}

export interface RateDeps {
  db: Database
  quoteLifetimeMs: number
}
