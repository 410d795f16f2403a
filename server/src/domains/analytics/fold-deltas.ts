import type { Database } from '../../db/database.ts'
import { foldDeltasAcrossOrgs } from './store.ts'

const batchSize = 20_000
/** Of one run; what is left waits for the next, and readers add it up meanwhile. */
const batchesLimit = 500

/** Makes the rows that a reader adds up few again. Right at any time, and any number of times at once. */
export async function foldDeltas(deps: { db: Database }): Promise<number> {
  let folded = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const taken = await deps.db.acrossOrgs((tx) => foldDeltasAcrossOrgs(tx, batchSize))
    folded += taken
    if (taken < batchSize) return folded
  }
  return folded
}
