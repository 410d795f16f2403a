import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import type { ErasureIds } from './record.ts'
import { erasureJob } from './request-erasure.ts'
import { selectPendingErasuresAcrossOrgs } from './store.ts'

/** Covers every erasure that has not ended. */
export const requeueErasures = (deps: { db: Database }): Promise<number> =>
  requeueWork<ErasureIds>(deps.db, {
    read: (tx, after, limit) => selectPendingErasuresAcrossOrgs(tx, after?.erasureId, limit),
    jobOf: (ids) => ({ orgId: ids.orgId, ...erasureJob(ids) }),
  })
