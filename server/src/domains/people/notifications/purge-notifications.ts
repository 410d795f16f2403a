import type { Database } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { recordSystemAudit } from '../../records/audit-log/record-audit.ts'
import { deleteEndedAcrossOrgs } from './store.ts'

const batchSize = 5_000
const batchesLimit = 200

/** Removes notices and mails from before the given time, in batches that lock nothing for long. Unsent ones stay. */
export async function purgeNotifications(deps: { db: Database }, before: Date): Promise<number> {
  let purged = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const deleted = await deps.db.acrossOrgs((tx) => deleteEndedAcrossOrgs(tx, before, batchSize))
    purged += deleted
    if (deleted < batchSize) break
  }
  if (purged > 0)
    await deps.db.acrossOrgs((tx) =>
      recordSystemAudit(tx, installationOrgId, {
        action: 'notification.purge',
        resourceType: 'notification',
        resourceId: 'retention',
        after: { notifications: purged },
      }),
    )
  return purged
}
