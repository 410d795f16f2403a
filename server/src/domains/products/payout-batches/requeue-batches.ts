import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { batchJob } from './create-batch.ts'
import type { BatchIds } from './record.ts'
import { selectOpenBatchesAcrossOrgs } from './store.ts'

/** Covers every batch that is being sent, or whose payments have not ended. */
export const requeueBatches = (deps: { db: Database }): Promise<number> =>
  requeueWork<BatchIds>(deps.db, {
    read: (tx, after, limit) => selectOpenBatchesAcrossOrgs(tx, after?.batchId, limit),
    jobOf: (ids) => ({ orgId: ids.orgId, ...batchJob(ids) }),
  })
