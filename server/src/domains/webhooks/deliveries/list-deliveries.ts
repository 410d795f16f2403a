import type { Database } from '../../../db/database.ts'
import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/paging.ts'
import { getWebhook } from '../get-webhook.ts'
import { findDelivery, findEvent, selectDeliveries, selectDeliveryAttempts } from './store.ts'
import type { DeliveryAttemptRow, DeliveryFilters, DeliveryRow, EventRow } from './store.ts'

export interface DeliveryReadDeps {
  db: Database
  cursorKey: Buffer
}

export async function listDeliveries(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { filters: DeliveryFilters; page: PageRequest },
): Promise<Page<DeliveryRow>> {
  const { orgId } = caller
  const { filters } = input
  if (filters.webhookId !== undefined) await getWebhook(deps, caller, { webhookId: filters.webhookId })
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'deliveries', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectDeliveries(tx, orgId, { filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.delivery_id }),
  })
}

export interface DeliveryDetail {
  delivery: DeliveryRow
  event: EventRow
  attempts: DeliveryAttemptRow[]
}

/** With the exact body and headers of each attempt: enough to debug a receiver from this alone. */
export async function getDelivery(
  deps: DeliveryReadDeps,
  caller: Caller,
  input: { webhookId: string; deliveryId: string },
): Promise<DeliveryDetail> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const delivery = await findDelivery(tx, orgId, input.deliveryId)
    const event = delivery && (await findEvent(tx, orgId, delivery.event_id))
    if (!delivery || !event || delivery.webhook_id !== input.webhookId) throw notFound('The delivery')
    return { delivery, event, attempts: await selectDeliveryAttempts(tx, orgId, input.deliveryId) }
  })
}
