import type { Database } from '../../../kernel/db/database.ts'
import { localChannel } from '../../../kernel/engine/outbox.ts'
import { requeueParkedBatch } from './store.ts'

const rowsPerTransaction = 500
const transactionsPerCall = 20

/** Enqueues the deliveries that were parked while an endpoint was paused. True when more are left for another call. */
export async function resumeDeliveries(
  deps: { db: Database },
  { orgId, webhookId }: { orgId: string; webhookId: string },
): Promise<boolean> {
  for (let call = 0; call < transactionsPerCall; call += 1) {
    const batch = requeueParkedBatch(orgId, webhookId, rowsPerTransaction)
    const [jobs = []] = await deps.db.batchInOrg(orgId, [batch])
    deps.db.wake(localChannel)
    if (jobs.length < rowsPerTransaction) return false
  }
  return true
}
