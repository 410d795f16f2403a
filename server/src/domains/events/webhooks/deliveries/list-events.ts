import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import type { DeliveryReadDeps, EventFilters, RecordedEvent } from './record.ts'
import { selectEvents } from './store.ts'

export function listEvents(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { filters: EventFilters; page: PageRequest },
): Promise<Page<RecordedEvent>> {
  const { orgId } = caller
  const { filters } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'events', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectEvents(tx, orgId, { filters, limit, before })),
    positionOf: ({ createdAt, eventId }) => ({ createdAt, id: eventId }),
  })
}
