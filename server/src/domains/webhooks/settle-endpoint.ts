import type { Database } from '../../db/database.ts'
import { outboxChannel } from '../../engine/outbox.ts'
import { deleteSomeDeliveries, forgetWebhook, requeueParked } from './store.ts'

const rowsPerTransaction = 500
const transactionsPerCall = 20

type Deps = { db: Database }
type Ids = { orgId: string; webhookId: string }

/** What waited while an endpoint was paused goes out. True when there is more, because a call is bounded. */
export async function resumeDeliveries(deps: Deps, { orgId, webhookId }: Ids): Promise<boolean> {
  for (let call = 0; call < transactionsPerCall; call += 1) {
    const [jobs = []] = await deps.db.batchInOrg(orgId, [requeueParked(orgId, webhookId, rowsPerTransaction)])
    deps.db.wake(outboxChannel)
    if (jobs.length < rowsPerTransaction) return false
  }
  return true
}

/** The deliveries of a deleted endpoint, and at last its row. True when there is more. */
export async function removeDeliveries(deps: Deps, { orgId, webhookId }: Ids): Promise<boolean> {
  for (let call = 0; call < transactionsPerCall; call += 1) {
    const some = deleteSomeDeliveries(orgId, webhookId, rowsPerTransaction)
    const [gone = []] = await deps.db.batchInOrg(orgId, [some])
    if (gone.length === 0) {
      await deps.db.batchInOrg(orgId, [forgetWebhook(orgId, webhookId)])
      return false
    }
  }
  return true
}
