import type { RawBuilder } from 'kysely'

/** A promise about every row of a table, and the query that finds the rows that break it. */
export interface Check {
  promise: string
  /** The table whose rows the promise is about; the report says how many it has. */
  about:
    | 'ledger_transfers'
    | 'balance_folds'
    | 'guarded_balances'
    | 'virtual_transactions'
    | 'suspended_deposits'
    | 'payments'
    | 'attempts'
    | 'events'
    | 'refunds'
    | 'disputes'
    | 'dispute_moves'
    | 'ramps'
    | 'ramp_legs'
    | 'escrows'
    | 'escrow_milestones'
    | 'escrow_shares'
    | 'resolutions'
    | 'ledger_adjustments'
  violations: RawBuilder<Violation>
}

export interface Violation {
  subject: string
  problem: string
}

/** For each status, the statuses that may follow it. */
export type StatusTable = Readonly<Record<string, readonly string[]>>
