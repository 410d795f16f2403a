import type { Database } from '../../../kernel/db/database.ts'
import { foldDeltasAcrossOrgs } from './store.ts'

const batchSize = 20_000
/** The limit of one run. The rest waits for the next run; until then readers add it up from the deltas. */
const batchesLimit = 500

/** Folds deltas into rollups, so that readers add up few rows. Safe to run at any time and concurrently. */
export async function foldDeltas(deps: { db: Database }): Promise<number> {
  let folded = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const taken = await deps.db.acrossOrgs((tx) => foldDeltasAcrossOrgs(tx, batchSize))
    folded += taken
    if (taken < batchSize) return folded
  }
  return folded
}
