import type { Database } from '../../db/database.ts'
import { enqueue } from '../../engine/outbox.ts'
import { selectPendingDeliveriesAcrossOrgs } from './store.ts'

const batchSize = 500

/** Hands every delivery that has not arrived to the engine again; the schedule goes on where it was. */
export async function reopenDeliveries(deps: { db: Database }): Promise<number> {
  let reopened = 0
  let after: string | undefined
  for (;;) {
    const batch = await deps.db.acrossOrgs(async (tx) => {
      const open = await selectPendingDeliveriesAcrossOrgs(tx, after, batchSize)
      for (const { orgId, deliveryId } of open)
        await enqueue(tx, orgId, {
          service: 'Deliveries',
          handler: 'deliver',
          payload: { orgId, deliveryId },
        })
      return open
    })
    reopened += batch.length
    after = batch.at(-1)?.deliveryId
    if (batch.length < batchSize) return reopened
  }
}
