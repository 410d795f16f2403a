import { outboxChannel } from '../../../engine/outbox.ts'
import type { Caller } from '../../../lib/access.ts'
import { newId } from '../../../lib/ids.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { auditStatement } from '../../audit-log/record-audit.ts'
import { getUsableWebhook } from '../get-webhook.ts'
import { recordEvents } from '../publish-events.ts'
import type { EventType } from '../rules.ts'
import type { MadeDelivery, ReplayDeps } from './replay-events.ts'

export interface ManualEvent {
  eventId: string
  deliveries: MadeDelivery[]
}

/** An event that nobody's payment caused, to try endpoints with: to all of an organisation's, whatever they subscribe to, or to one. */
export async function sendManualEvent(
  deps: ReplayDeps,
  caller: Caller,
  input: { orgId: string | undefined; webhookId?: string; eventType: EventType; data: object },
): Promise<ManualEvent> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  if (input.webhookId !== undefined) await getUsableWebhook(deps, { orgId }, { webhookId: input.webhookId })
  const eventId = newId()
  const event = {
    eventId,
    eventType: input.eventType,
    // About itself: it has no payment.
    resourceId: eventId,
    sequence: 1,
    data: JSON.stringify(input.data),
    createdAt: deps.clock.now(),
  }
  const [, made = []] = await deps.db.batchInOrg(orgId, [
    ...recordEvents(orgId, [event], { webhookId: input.webhookId ?? null, isUnasked: true }),
    auditStatement(caller, orgId, { action: 'webhook.notify', resourceType: 'event', resourceId: eventId }),
  ])
  deps.db.wake(outboxChannel)
  return { eventId, deliveries: made as unknown as MadeDelivery[] } // the columns that the statement returns
}
