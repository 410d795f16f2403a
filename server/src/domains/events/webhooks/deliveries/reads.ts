import { missingRow } from '../../../../kernel/db/archive/archived.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import { notFound } from '../../../../lib/errors.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import { getWebhook } from '../reads.ts'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryFilters,
  DeliveryReadDeps,
  EventDetail,
  EventFilters,
  RecordedEvent,
} from './record.ts'
import {
  findDelivery,
  findEvent,
  hasPendingAcrossOrgs,
  selectDeliveries,
  selectDeliveryAttempts,
  selectEvents,
} from './store.ts'

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

export async function listDeliveries(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { filters: DeliveryFilters; page: PageRequest },
): Promise<Page<Delivery>> {
  const { orgId } = caller
  const { filters } = input
  if (filters.webhookId !== undefined) await getWebhook(deps, caller, { webhookId: filters.webhookId })
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'deliveries', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectDeliveries(tx, orgId, { filters, limit, before })),
    positionOf: ({ createdAt, deliveryId }) => ({ createdAt, id: deliveryId }),
  })
}

/** Whether an event with an id from `fromId` to before `toId` waits for an endpoint, which may be paused. */
export const findPending = (
  { db }: { db: Database },
  ids: { fromId: string; toId: string },
): Promise<boolean> => db.acrossOrgs((tx) => hasPendingAcrossOrgs(tx, ids))
