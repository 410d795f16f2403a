import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { deleteEntriesAcrossOrgs } from './store.ts'

const keptMs = 7 * 24 * 60 * 60_000
const batchSize = 10_000
const batchesLimit = 200

/** Removes what is older than seven days, in batches that lock nothing for long. */
export async function purgeRequests(deps: { db: Database; clock: Clock }): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - keptMs)
  let purged = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const deleted = await deps.db.acrossOrgs((tx) => deleteEntriesAcrossOrgs(tx, before, batchSize))
    purged += deleted
    if (deleted < batchSize) break
  }
  return purged
}
