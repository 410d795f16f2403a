import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { SignalCache } from '../current/track-signals.ts'
import type { Corridor, Counts, Signal } from '../record.ts'

export type BucketSize = 'minute' | 'hour' | 'day'

export interface HistoryFilter {
  from: Date
  to: Date
  bucket: BucketSize
  provider: string | undefined
  accountId: string | undefined
  direction: 'payin' | 'payout' | undefined
  method: string | undefined
  country: string | undefined
  cardBrand: string | undefined
}

export interface HistoryRow extends Corridor, Counts {
  provider: string
  bucketStart: Date
}

/** An account in a corridor, over time. */
export interface RouteHistory extends Corridor, Pick<Signal, 'health' | 'since'> {
  provider: string
  isInMaintenance: boolean
  rows: HistoryRow[]
}

export interface History {
  filter: HistoryFilter
  routes: RouteHistory[]
  isTruncated: boolean
}

export interface HistoryDeps {
  db: Database
  clock: Clock
  routingSignals: Pick<SignalCache, 'healthOf' | 'reportedHealthOf' | 'isInMaintenance'>
}
