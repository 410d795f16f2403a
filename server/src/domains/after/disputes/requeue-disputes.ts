import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { reminderJob } from './notify-members.ts'
import type { Dispute } from './record.ts'
import { superviseJob } from './send-response.ts'
import { selectWaitingDisputesAcrossOrgs } from './store.ts'

/** Requeues the question about every response with an unknown outcome, and every reminder that is still to come. */
export async function requeueDisputes(deps: { db: Database }): Promise<number> {
  const responses = await requeueWork<Dispute>(deps.db, {
    read: (tx, after, limit) => selectWaitingDisputesAcrossOrgs(tx, 'response', after?.disputeId, limit),
    jobOf: ({ orgId, disputeId }) => ({ orgId, ...superviseJob({ orgId, disputeId }) }),
  })
  const reminders = await requeueWork<Dispute>(deps.db, {
    read: (tx, after, limit) => selectWaitingDisputesAcrossOrgs(tx, 'reminder', after?.disputeId, limit),
    jobOf: ({ orgId, disputeId, dueBy }) => ({
      orgId,
      ...reminderJob({ orgId, disputeId, dueBy: dueBy ?? new Date(0) }),
    }),
  })
  return responses + reminders
}
