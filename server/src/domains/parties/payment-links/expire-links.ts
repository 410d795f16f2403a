import type { LinkDeps } from './record.ts'
import { expireDueLinksAcrossOrgs } from './store.ts'

const batchSize = 500
/** What is left after so many is expired by the next run. */
const batchesLimit = 200

/** Writes down which links have expired. One that a payment is locking at the moment is left to the next run. */
export async function expireLinks(deps: Pick<LinkDeps, 'db' | 'clock'>): Promise<number> {
  const now = deps.clock.now()
  let expired = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const written = await deps.db.acrossOrgs((tx) => expireDueLinksAcrossOrgs(tx, now, batchSize))
    expired += written
    if (written < batchSize) break
  }
  return expired
}
