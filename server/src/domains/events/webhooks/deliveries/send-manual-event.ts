import { localChannel } from '../../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { auditStatement } from '../../../records/audit-log/record-audit.ts'
import { buildManualEvent, type ManualEventData } from '../build-event.ts'
import type { EventType } from '../events.ts'
import { getUsableWebhook } from '../reads.ts'
import { recordEvents } from '../publish-events.ts'
import type { CreatedDelivery } from '../record.ts'
import type { PublishedEvent, ReplayDeps } from './record.ts'

/** Sends an event to one endpoint or to all of an organisation, whatever they subscribe to, to try out receivers. */
export async function sendManualEvent(
  deps: ReplayDeps,
  caller: Caller,
  input: { orgId: string | undefined; webhookId?: string; eventType: EventType; data: ManualEventData },
): Promise<PublishedEvent> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  if (input.webhookId !== undefined) await getUsableWebhook(deps, { orgId }, { webhookId: input.webhookId })
  const event = buildManualEvent(input.eventType, input.data, deps.clock.now())
  const { eventId } = event
  const [, created = []] = await deps.db.batchInOrg(orgId, [
    ...recordEvents(orgId, [event], { webhookId: input.webhookId ?? null, ignoresSubscriptions: true }),
    auditStatement(caller, orgId, { action: 'webhook.notify', resourceType: 'event', resourceId: eventId }),
  ])
  deps.db.wake(localChannel)
  return { eventId, deliveries: created as unknown as CreatedDelivery[] } // the columns that the statement returns
}
