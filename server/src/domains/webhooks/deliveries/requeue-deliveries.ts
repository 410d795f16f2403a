import type { Database } from '../../../db/database.ts'
import { requeueWork } from '../../../engine/requeue.ts'
import { deliveryServiceName } from './rules.ts'
import { selectPendingDeliveriesAcrossOrgs } from './store.ts'

/** Every delivery that has not arrived; its schedule goes on where it was. */
export const requeueDeliveries = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; deliveryId: string }>(deps.db, {
    read: (tx, after, limit) => selectPendingDeliveriesAcrossOrgs(tx, after?.deliveryId, limit),
    jobOf: ({ orgId, deliveryId }) => ({
      orgId,
      service: deliveryServiceName,
      handler: 'deliver',
      payload: { orgId, deliveryId },
    }),
  })
