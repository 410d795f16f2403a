import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { RetentionDays } from '../privacy/retention/record.ts'
import { daysBefore } from '../privacy/retention/rules.ts'
import { deleteEntriesAcrossOrgs } from './store.ts'

const batchSize = 10_000
const batchesLimit = 200

/** Deletes requests that have passed their retention, in batches that hold locks only briefly. */
export async function purgeRequests(deps: {
  db: Database
  clock: Clock
  retention: Pick<RetentionDays, 'requestLog'>
}): Promise<number> {
  const before = daysBefore(deps.clock.now(), deps.retention.requestLog)
  let purged = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const deleted = await deps.db.acrossOrgs((tx) => deleteEntriesAcrossOrgs(tx, before, batchSize))
    purged += deleted
    if (deleted < batchSize) break
  }
  return purged
}
