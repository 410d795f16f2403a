import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { selectOpenPaymentsAcrossOrgs } from '../store.ts'
import { superviseJob } from './schedule-supervision.ts'

/** Requeues every open payment. Supervising one twice is harmless. */
export const requeuePayments = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; paymentId: string }>(deps.db, {
    read: (tx, after, limit) => selectOpenPaymentsAcrossOrgs(tx, after?.paymentId, limit),
    jobOf: (payment) => ({ orgId: payment.orgId, ...superviseJob(payment) }),
  })
