import type { ArchiveDeps } from '../kernel/db/archive/archive-months.ts'
import type { Database } from '../kernel/db/database.ts'
import { findUnsealed } from '../domains/records/audit-log/blocks/find-unsealed.ts'
import { listHeldOrgs } from '../domains/office/privacy/holds/list-holds.ts'
import { findPending } from '../domains/events/webhooks/deliveries/reads.ts'

/** Why a month must not be archived yet, as the domains know it. */
export const archiveUses = (db: Database): Pick<ArchiveDeps, 'listHeldOrgs' | 'findUse'> => ({
  listHeldOrgs: () => listHeldOrgs({ db }),
  async findUse({ table, ...ids }) {
    if (table === 'events' && (await findPending({ db }, ids)))
      return 'an event of it waits for an endpoint, which may be paused'
    if (table === 'audit_log' && (await findUnsealed({ db }, ids))) return 'an entry of it is not sealed yet'
    return undefined
  },
})
