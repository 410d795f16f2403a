import { sql, type RawBuilder } from 'kysely'

/** A promise about every row of a table, and the query that finds the rows that break it. */
export interface Check {
  promise: string
  /** The table whose rows the promise is about; the report counts them. */
  about:
    | 'ledger_transfers'
    | 'balance_folds'
    | 'guarded_balances'
    | 'virtual_transactions'
    | 'suspended_deposits'
    | 'payments'
    | 'payin_sums'
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

/** What has a smaller id may have events that were archived, and only what has all of its events can be compared with them. */
export const eventsKeptFrom = sql`coalesce((
  select first_id_at(uuid_extract_timestamp(to_id) + interval '1 day') from archives
  where table_name = 'events' order by to_id desc limit 1), '00000000-0000-0000-0000-000000000000')`

/** For each status, the statuses that may follow it. */
export type StatusTable = Readonly<Record<string, readonly string[]>>
