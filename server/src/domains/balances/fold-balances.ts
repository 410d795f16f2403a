import type { Database } from '../../db/database.ts'
import { foldBalancesAcrossOrgs } from '../../ledger/available.ts'

/** Folds new transfers into the stored sums, so that a balance costs few rows. Safe to run at any time and concurrently. */
export const foldBalances = (deps: { db: Database }): Promise<number> =>
  deps.db.acrossOrgs((tx) => foldBalancesAcrossOrgs(tx))
