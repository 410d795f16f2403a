import { outboxChannel } from '../../engine/outbox.ts'
import type { Caller } from '../../lib/access.ts'
import { newId } from '../../lib/ids.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { auditStatement } from '../audit-log/record-audit.ts'
import { getUsableWebhook } from '../webhooks/get-webhook.ts'
import { publishEvents } from '../webhooks/publish-events.ts'
import type { MadeDelivery, ReplayDeps } from './replay-events.ts'
import { insertManualEvent } from './store.ts'

export interface ManualEvent {
  eventId: string
  deliveries: MadeDelivery[]
}

/** An event that nobody's payment caused, to try endpoints with: to all of an organisation's, whatever they subscribe to, or to one. */
export async function sendManualEvent(
  deps: ReplayDeps,
  caller: Caller,
  input: { orgId: string | undefined; webhookId?: string; eventType: string; data: object },
): Promise<ManualEvent> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  if (input.webhookId !== undefined) await getUsableWebhook(deps, { orgId }, { webhookId: input.webhookId })
  const eventId = newId()
  const event = { eventId, eventType: input.eventType }
  const [, made = []] = await deps.db.batchInOrg(orgId, [
    insertManualEvent(orgId, {
      ...event,
      data: JSON.stringify(input.data),
      createdAt: deps.clock.now(),
    }),
    publishEvents(orgId, [event], { webhookId: input.webhookId ?? null, isUnasked: true }),
    auditStatement(caller, orgId, { action: 'webhook.notify', resourceType: 'event', resourceId: eventId }),
  ])
  deps.db.wake(outboxChannel)
  return { eventId, deliveries: made as unknown as MadeDelivery[] } // the columns that the statement returns
}
