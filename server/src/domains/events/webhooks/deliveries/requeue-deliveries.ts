import type { Database } from '../../../../kernel/db/database.ts'
import { requeueWork } from '../../../../kernel/engine/requeue.ts'
import { deliveryServiceName } from './rules.ts'
import { selectPendingDeliveriesAcrossOrgs } from './store.ts'

/** Enqueues every pending delivery. Each continues its schedule at the next attempt. */
export const requeueDeliveries = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; deliveryId: string; webhookId: string }>(deps.db, {
    read: (tx, after, limit) => selectPendingDeliveriesAcrossOrgs(tx, after?.deliveryId, limit),
    jobOf: ({ orgId, deliveryId, webhookId }) => ({
      orgId,
      service: deliveryServiceName,
      handler: 'deliver',
      payload: { orgId, deliveryId },
      receiver: webhookId,
    }),
  })
