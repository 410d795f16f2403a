import { missingRow } from '../../../../kernel/db/archive/archived.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { DeliveryReadDeps, EventDetail } from './record.ts'
import { findEvent, selectDeliveries } from './store.ts'

const deliveriesLimit = 100

export function getEvent(
  deps: DeliveryReadDeps,
  caller: Caller,
  { eventId }: { eventId: string },
): Promise<EventDetail> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const event = await findEvent(tx, orgId, eventId)
    if (!event) throw await missingRow(tx, 'events', { what: 'The event', id: eventId })
    const page = { filters: { eventId }, limit: deliveriesLimit, before: undefined }
    return { event, deliveries: await selectDeliveries(tx, orgId, page) }
  })
}
