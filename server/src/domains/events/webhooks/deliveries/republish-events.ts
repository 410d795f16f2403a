import type { Database } from '../../../../kernel/db/database.ts'
import { localChannel } from '../../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { auditStatement } from '../../../records/audit-log/record-audit.ts'
import { publishEvents } from '../publish-events.ts'
import type { EventName } from './record.ts'

export const replayBatchSize = 500
/** The most events that one request reads, so that it is answered within seconds. The next request continues. */
export const replayLimit = 1_000

/** Sends events to one endpoint again, each once, and returns the number of deliveries. */
export async function republishEvents(
  deps: { db: Database },
  orgId: string,
  { webhookId, events }: { webhookId: string; events: readonly EventName[] },
): Promise<number> {
  if (events.length === 0) return 0
  const distinct = [...new Map(events.map((event) => [event.eventId, event])).values()]
  const options = { webhookId, ignoresSubscriptions: true, isReplay: true }
  const [created = []] = await deps.db.batchInOrg(orgId, [publishEvents(orgId, distinct, options)])
  deps.db.wake(localChannel)
  return created.length
}

export const auditReplay = (
  deps: { db: Database },
  caller: Caller,
  entry: { action: string; resourceId: string; count: number },
): Promise<unknown> =>
  deps.db.batchInOrg(caller.orgId, [
    auditStatement(caller, caller.orgId, {
      action: entry.action,
      resourceType: 'webhook',
      resourceId: entry.resourceId,
      after: { events: entry.count },
    }),
  ])
