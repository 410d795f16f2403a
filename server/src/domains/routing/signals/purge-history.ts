import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { deleteWeightsAcrossOrgs, weightsLastMs } from './current/store.ts'
import { deleteEndedAcrossOrgs } from './maintenance/store.ts'
import { before } from './rules.ts'
import { deleteExplorationsAcrossOrgs, deleteHistoryAcrossOrgs } from './store.ts'

const dayMs = 24 * 60 * 60_000
const kept = [
  { grain: 'minute', ms: 3 * dayMs },
  { grain: 'hour', ms: 100 * dayMs },
] as const
const explorationsKeptMs = 2 * dayMs
/** After it nothing is left of a weight, because it halves every few minutes. */
const weightsKeptMs = 7 * dayMs
const windowsKeptMs = 100 * dayMs
const batchSize = 10_000
const batchesLimit = 200

/** Deletes history that is no longer read, in batches that hold locks only briefly. */
export async function purgeHistory(deps: { db: Database; clock: Clock }): Promise<number> {
  const now = deps.clock.now()
  let purged = 0
  for (const { grain, ms } of kept)
    for (let batch = 0; batch < batchesLimit; batch++) {
      const until = before(now, ms)
      const deleted = await deps.db.acrossOrgs((tx) =>
        deleteHistoryAcrossOrgs(tx, { grain, until, limit: batchSize }),
      )
      purged += deleted
      if (deleted < batchSize) break
    }
  await deps.db.acrossOrgs(async (tx) => {
    await deleteExplorationsAcrossOrgs(tx, before(now, explorationsKeptMs))
    await deleteWeightsAcrossOrgs(tx, {
      pooled: before(now, weightsKeptMs),
      ofOrgs: before(now, weightsLastMs),
    })
    await deleteEndedAcrossOrgs(tx, before(now, windowsKeptMs))
  })
  return purged
}
