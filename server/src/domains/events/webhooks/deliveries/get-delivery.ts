import { missingRow } from '../../../../kernel/db/archive/archived.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import type { DeliveryDetail, DeliveryReadDeps } from './record.ts'
import { findDelivery, findEvent, selectDeliveryAttempts } from './store.ts'

/** A delivery with the exact body and headers of each attempt, from which an integrator can debug a receiver. */
export async function getDelivery(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { webhookId: string; deliveryId: string },
): Promise<DeliveryDetail> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const delivery = await findDelivery(tx, orgId, input.deliveryId)
    if (!delivery || delivery.webhookId !== input.webhookId) throw notFound('The delivery')
    const event = await findEvent(tx, orgId, delivery.eventId)
    if (!event)
      throw await missingRow(tx, 'events', { what: 'The event of the delivery', id: delivery.eventId })
    return { delivery, event, attempts: await selectDeliveryAttempts(tx, orgId, input.deliveryId) }
  })
}
