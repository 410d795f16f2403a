import type { Database } from '../../../../kernel/db/database.ts'
import { requeueWork } from '../../../../kernel/engine/requeue.ts'
import { disburseJob } from './disburse-milestone.ts'
import { selectOpenDisbursementsAcrossOrgs } from './store.ts'

/** Covers every disbursement that has been ordered and has not ended. */
export const requeueDisbursements = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; milestoneId: string }>(deps.db, {
    read: (tx, after, limit) => selectOpenDisbursementsAcrossOrgs(tx, after?.milestoneId, limit),
    jobOf: ({ orgId, milestoneId }) => ({ orgId, ...disburseJob(orgId, milestoneId) }),
  })
