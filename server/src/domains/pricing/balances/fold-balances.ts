import type { Database } from '../../../kernel/db/database.ts'
import { foldBalancesAcrossOrgs } from '../../../kernel/ledger/available.ts'

/** The pause between two folds while transfers are being written. */
export const refoldAfterMs = 1_000
/** The next job is due after this many pauses. */
const foldsPerJob = 5

/** Folds new transfers into the stored sums, so that a balance costs few rows. Safe to run at any time and concurrently. */
export const foldBalances = (deps: { db: Database }): Promise<number> =>
  deps.db.acrossOrgs((tx) => foldBalancesAcrossOrgs(tx))

/**
 * When a job that has folded so many balances folds again; null when it ends. Debits add up all transfers since the last
 * fold while others wait for them, so a busy account needs folds more often than the schedule starts jobs.
 */
export const nextFoldAfterMs = (folded: number, round: number): number | null =>
  folded > 0 && round + 1 < foldsPerJob ? refoldAfterMs : null
