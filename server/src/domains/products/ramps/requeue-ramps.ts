import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { superviseRampJob } from './schedule-supervision.ts'
import { selectWatchedRampsAcrossOrgs } from './store.ts'
import { lateWindowMs } from './watch-closed-ramp.ts'

/** Requeues every ramp that is not closed, and every closed one whose address is watched for a late payment. */
export async function requeueRamps(deps: { db: Database }): Promise<number> {
  const expiredAfter = new Date((await deps.db.now()).getTime() - lateWindowMs)
  return requeueWork<{ orgId: string; paymentId: string }>(deps.db, {
    read: (tx, after, limit) =>
      selectWatchedRampsAcrossOrgs(tx, { expiredAfter, after: after?.paymentId, limit }),
    jobOf: (ramp) => ({ orgId: ramp.orgId, ...superviseRampJob(ramp) }),
  })
}
