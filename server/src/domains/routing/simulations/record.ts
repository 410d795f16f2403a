import type { Database } from '../../../kernel/db/database.ts'
import type { CardBins } from '../../../lib/instruments/card-bins.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { PolicyDocument } from '../policies/record.ts'

export type SimulationStatus = 'queued' | 'running' | 'completed' | 'failed'

export interface SimulationIds {
  orgId: string
  simulationId: string
}

export interface Simulation extends SimulationIds {
  policy: PolicyDocument
  from: Date
  to: Date
  status: SimulationStatus
  paymentsRead: number
  /** Null until they are counted. */
  paymentsTotal: number | null
  result: SimulationResult | null
  failure: string | null
  createdBy: string
  createdAt: Date
  finishedAt: Date | null
}

/** A figure with its 95 % confidence interval; null without data. */
export interface Estimate {
  value: number
  low: number
  high: number
}

/** How first attempts went, or would have gone. Shares between 0 and 1. */
export interface Performance {
  successRate: Estimate | null
  /** The mean share of the amount that the provider charges, of the payments whose cost is known. */
  costShare: Estimate | null
  costKnownFor: number
}

export interface AccountShift {
  accountId: string
  provider: string
  /** Payments that went to it first, and that would have. */
  paymentsBefore: number
  paymentsAfter: number
  /** First attempts in this corridor that its expected rate rests on. */
  observed: number
  successRate: Estimate | null
}

export interface CorridorResult {
  direction: 'payin' | 'payout'
  method: string
  country: string
  /** Null for other methods and for unknown brands. */
  cardBrand: string | null
  payments: number
  moved: number
  /** Of the moved ones, those that would have gone to an account without data in this corridor. */
  withoutData: number
  before: Performance
  after: Performance
  accounts: AccountShift[]
}

export interface SimulationResult {
  payments: number
  /** Payments that no account could have carried, or that were never sent; the replay leaves them out. */
  skipped: number
  moved: number
  withoutData: number
  /** There were more payments than one simulation reads. */
  isTruncated: boolean
  before: Performance
  after: Performance
  corridors: CorridorResult[]
  notes: string[]
}

export interface ReplayRoute {
  provider: string
  accountId: string
}

/** Whether the first attempt succeeded; undefined if it is open, or if the customer was the reason that it did not. */
export type Verdict = 'succeeded' | 'lost' | undefined

/** A payment of the past, with the accounts that could have carried it. */
export interface ReplayPayment {
  seed: string
  at: Date
  direction: 'payin' | 'payout'
  method: string
  country: string
  source: Money
  carried: Money
  cardBrand: string | null
  issuerCountry: string | null
  metadata: Readonly<Record<string, unknown>> | null
  healthy: readonly ReplayRoute[]
  unhealthy: readonly ReplayRoute[]
  /** The account that it was sent to first. */
  accountId: string
  verdict: Verdict
  endedAt: Date | null
  /** What the provider charged, as a share of the amount. */
  costShare: number | null
}

export interface SimulationDeps {
  db: Database
  clock: Clock
  cardBins: CardBins
}
