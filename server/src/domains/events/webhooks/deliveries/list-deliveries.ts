import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import { getWebhook } from '../get-webhook.ts'
import type { Delivery, DeliveryFilters, DeliveryReadDeps } from './record.ts'
import { selectDeliveries } from './store.ts'

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
