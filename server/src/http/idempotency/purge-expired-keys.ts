import type { IdempotencyDeps } from './find-first-call.ts'
import { deleteExpiredKeysAcrossOrgs } from './store.ts'

const batchSize = 1_000
const batchesLimit = 100

export async function purgeExpiredKeys(deps: Pick<IdempotencyDeps, 'db'>): Promise<number> {
  let purged = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const deleted = await deps.db.acrossOrgs((tx) => deleteExpiredKeysAcrossOrgs(tx, batchSize))
    purged += deleted
    if (deleted < batchSize) break
  }
  return purged
}
