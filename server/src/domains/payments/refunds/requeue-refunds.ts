import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { superviseRefundJob } from './send-refund.ts'
import { selectOpenRefundsAcrossOrgs } from './store.ts'

/** Requeues every open refund. */
export const requeueRefunds = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; refundId: string }>(deps.db, {
    read: (tx, after, limit) => selectOpenRefundsAcrossOrgs(tx, after?.refundId, limit),
    jobOf: (refund) => ({ orgId: refund.orgId, ...superviseRefundJob(refund, refund.refundId) }),
  })
