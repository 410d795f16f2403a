import type { Caller } from '../../../../lib/requests/access.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import { getUsableWebhook } from '../reads.ts'
import type { ReplayDeps } from './record.ts'
import { auditReplay, replayBatchSize, replayLimit, republishEvents } from './republish-events.ts'
import { selectUndelivered } from './store.ts'

/** Sends the events of a period that an endpoint subscribes to and has not received. Returns their number. */
export async function recoverEndpoint(
  deps: ReplayDeps,
  caller: Caller,
  input: { webhookId: string; since: Date; until: Date | undefined },
): Promise<number> {
  const { orgId } = caller
  const { webhookId, since } = input
  const { events: eventTypes } = await getUsableWebhook(deps, caller, { webhookId })
  const span = { webhookId, eventTypes, since, until: input.until ?? deps.clock.now() }
  let before: Position | undefined
  let recovered = 0
  for (let read = 0; read < replayLimit; read += replayBatchSize) {
    const events = await deps.db.inOrg(orgId, (tx) =>
      selectUndelivered(tx, orgId, { ...span, before, limit: replayBatchSize }),
    )
    recovered += await republishEvents(deps, orgId, { webhookId, events })
    const last = events.at(-1)
    if (!last || events.length < replayBatchSize) break
    before = { createdAt: last.createdAt, id: last.eventId }
  }
  await auditReplay(deps, caller, { action: 'webhook.recover', resourceId: webhookId, count: recovered })
  return recovered
}
