import { missingRow } from '../../../../kernel/db/archive/archived.ts'
import { localChannel } from '../../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { auditStatement } from '../../../records/audit-log/record-audit.ts'
import { getUsableWebhook } from '../reads.ts'
import { publishEvents } from '../publish-events.ts'
import type { CreatedDelivery } from '../record.ts'
import type { ReplayDeps } from './record.ts'
import { findEvent } from './store.ts'

/** Sends an event again to every subscribed endpoint, or to the named one whatever it subscribes to. */
export async function replayEvent(
  deps: ReplayDeps,
  caller: Caller,
  input: { eventId: string; webhookId: string | undefined },
): Promise<CreatedDelivery[]> {
  const { orgId } = caller
  const { eventId, webhookId } = input
  const event = await deps.db.inOrg(orgId, async (tx) => {
    const found = await findEvent(tx, orgId, eventId)
    if (!found) throw await missingRow(tx, 'events', { what: 'The event', id: eventId })
    return found
  })
  if (webhookId !== undefined) await getUsableWebhook(deps, caller, { webhookId })
  const [created = []] = await deps.db.batchInOrg(orgId, [
    publishEvents(orgId, [event], {
      webhookId: webhookId ?? null,
      ignoresSubscriptions: webhookId !== undefined,
      isReplay: true,
    }),
    auditStatement(caller, orgId, { action: 'event.replay', resourceType: 'event', resourceId: eventId }),
  ])
  deps.db.wake(localChannel)
  return created as unknown as CreatedDelivery[] // the columns that the statement returns
}
