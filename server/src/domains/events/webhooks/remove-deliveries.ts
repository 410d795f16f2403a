import type { Database } from '../../../kernel/db/database.ts'
import { deleteDeliveryBatch } from './deliveries/store.ts'
import { deleteWebhookRow } from './store.ts'

const rowsPerTransaction = 500
const transactionsPerCall = 20

/** Deletes the deliveries of a deleted endpoint, and then its row. True when more are left for another call. */
export async function removeDeliveries(
  deps: { db: Database },
  { orgId, webhookId }: { orgId: string; webhookId: string },
): Promise<boolean> {
  for (let call = 0; call < transactionsPerCall; call += 1) {
    const batch = deleteDeliveryBatch(orgId, webhookId, rowsPerTransaction)
    const [deleted = []] = await deps.db.batchInOrg(orgId, [batch])
    if (deleted.length === 0) {
      await deps.db.batchInOrg(orgId, [deleteWebhookRow(orgId, webhookId)])
      return false
    }
  }
  return true
}
