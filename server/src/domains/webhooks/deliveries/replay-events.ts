import type { Database } from '../../../db/database.ts'
import { outboxChannel } from '../../../engine/outbox.ts'
import type { Caller } from '../../../lib/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Position } from '../../../lib/cursor.ts'
import { notFound } from '../../../lib/errors.ts'
import { auditStatement } from '../../audit-log/record-audit.ts'
import { getUsableWebhook } from '../get-webhook.ts'
import { publishEvents } from '../publish-events.ts'
import { findEvent, selectDeliveries, selectUndelivered, type DeliveryFilters } from './store.ts'

export interface ReplayDeps {
  db: Database
  clock: Clock
}

export interface MadeDelivery {
  webhookId: string
  deliveryId: string
}

const batchSize = 500
/** What one request reads at most, so that it is answered within seconds; a second request goes on. */
const replayLimit = 1_000

/** The event once more, under its own id, to every endpoint that wants it or to a named one in any case. */
export async function replayEvent(
  deps: ReplayDeps,
  caller: Caller,
  input: { eventId: string; webhookId: string | undefined },
): Promise<MadeDelivery[]> {
  const { orgId } = caller
  const { eventId, webhookId } = input
  const event = await deps.db.inOrg(orgId, (tx) => findEvent(tx, orgId, eventId))
  if (!event) throw notFound('The event')
  if (webhookId !== undefined) await getUsableWebhook(deps, caller, { webhookId })
  const [made = []] = await deps.db.batchInOrg(orgId, [
    publishEvents(orgId, [{ eventId, eventType: event.event_type }], {
      webhookId: webhookId ?? null,
      isUnasked: webhookId !== undefined,
      isReplay: true,
    }),
    auditStatement(caller, orgId, { action: 'event.replay', resourceType: 'event', resourceId: eventId }),
  ])
  deps.db.wake(outboxChannel)
  return made as unknown as MadeDelivery[] // the columns that the statement returns
}

/** Everything of a time span that an endpoint wants and has not received, also from before it was registered. */
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
  for (let read = 0; read < replayLimit; read += batchSize) {
    const events = await deps.db.inOrg(orgId, (tx) =>
      selectUndelivered(tx, orgId, { ...span, before, limit: batchSize }),
    )
    recovered += await republish(deps, orgId, { webhookId, events })
    const last = events.at(-1)
    if (!last || events.length < batchSize) break
    before = { createdAt: last.createdAt, id: last.eventId }
  }
  await audit(deps, caller, { action: 'webhook.recover', resourceId: webhookId, count: recovered })
  return recovered
}

/** Dead letters that match, each to the endpoint that it did not reach. */
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
  for (let read = 0; read < replayLimit; read += batchSize) {
    const dead = await deps.db.inOrg(orgId, (tx) =>
      selectDeliveries(tx, orgId, { filters, limit: batchSize, before }),
    )
    for (const [endpointId, letters] of Map.groupBy(dead, (letter) => letter.webhook_id)) {
      const events = letters.map((letter) => ({ eventId: letter.event_id, eventType: letter.event_type }))
      replayed += await republish(deps, orgId, { webhookId: endpointId, events })
    }
    const last = dead.at(-1)
    if (!last || dead.length < batchSize) break
    before = { createdAt: last.created_at, id: last.delivery_id }
  }
  await audit(deps, caller, { action: 'dead-letters.replay', resourceId: orgId, count: replayed })
  return replayed
}

async function republish(
  deps: ReplayDeps,
  orgId: string,
  { webhookId, events }: { webhookId: string; events: { eventId: string; eventType: string }[] },
): Promise<number> {
  if (events.length === 0) return 0
  const once = [...new Map(events.map((event) => [event.eventId, event])).values()]
  const options = { webhookId, isUnasked: true, isReplay: true }
  const [made = []] = await deps.db.batchInOrg(orgId, [publishEvents(orgId, once, options)])
  deps.db.wake(outboxChannel)
  return made.length
}

const audit = (
  deps: ReplayDeps,
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
