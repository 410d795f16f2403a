import type { Database } from '../../db/database.ts'
import { requeueWork } from '../../engine/requeue.ts'
import { selectOpenRampsAcrossOrgs } from './store.ts'
import { superviseRampJob } from './schedule-supervision.ts'

/** Requeues every ramp that is not closed, including those that are watched for a late payment. */
export const requeueRamps = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; paymentId: string }>(deps.db, {
    read: (tx, after, limit) => selectOpenRampsAcrossOrgs(tx, after?.paymentId, limit),
    jobOf: (ramp) => ({ orgId: ramp.orgId, ...superviseRampJob(ramp) }),
  })
