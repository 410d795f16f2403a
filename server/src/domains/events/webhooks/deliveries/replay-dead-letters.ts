import type { Caller } from '../../../../lib/requests/access.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import { getUsableWebhook } from '../reads.ts'
import type { DeliveryFilters, ReplayDeps } from './record.ts'
import { auditReplay, replayBatchSize, replayLimit, republishEvents } from './republish-events.ts'
import { selectDeliveries } from './store.ts'

/** Sends each matching dead letter to its endpoint again. Returns their number. */
export async function replayDeadLetters(
  deps: ReplayDeps,
  caller: Caller,
  input: { filters: DeliveryFilters },
): Promise<number> {
  const { orgId } = caller
  const { webhookId } = input.filters
  if (webhookId !== undefined) await getUsableWebhook(deps, caller, { webhookId })
  const filters = { ...input.filters, status: 'dead' }
  let before: Position | undefined
  let replayed = 0
  for (let read = 0; read < replayLimit; read += replayBatchSize) {
    const deadLetters = await deps.db.inOrg(orgId, (tx) =>
      selectDeliveries(tx, orgId, { filters, limit: replayBatchSize, before }),
    )
    for (const [endpointId, events] of Map.groupBy(deadLetters, (letter) => letter.webhookId))
      replayed += await republishEvents(deps, orgId, { webhookId: endpointId, events })
    const last = deadLetters.at(-1)
    if (!last || deadLetters.length < replayBatchSize) break
    before = { createdAt: last.createdAt, id: last.deliveryId }
  }
  await auditReplay(deps, caller, { action: 'dead-letters.replay', resourceId: orgId, count: replayed })
  return replayed
}
