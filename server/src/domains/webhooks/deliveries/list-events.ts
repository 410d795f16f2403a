import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/paging.ts'
import type { DeliveryReadDeps } from './list-deliveries.ts'
import {
  findEvent,
  selectDeliveries,
  selectEvents,
  type DeliveryRow,
  type EventFilters,
  type EventRow,
} from './store.ts'

const deliveriesShown = 100

export function listEvents(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { filters: EventFilters; page: PageRequest },
): Promise<Page<EventRow>> {
  const { orgId } = caller
  const { filters } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'events', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectEvents(tx, orgId, { filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.event_id }),
  })
}

export function getEvent(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { eventId: string },
): Promise<{ event: EventRow; deliveries: DeliveryRow[] }> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const event = await findEvent(tx, orgId, input.eventId)
    if (!event) throw notFound('The event')
    const filters = { eventId: input.eventId }
    const deliveries = await selectDeliveries(tx, orgId, {
      filters,
      limit: deliveriesShown,
      before: undefined,
    })
    return { event, deliveries }
  })
}
