import type { Database } from '../../db/database.ts'
import { outboxChannel } from '../../engine/outbox.ts'
import type { Caller } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import { notFound } from '../../lib/errors.ts'
import { auditStatement } from '../audit-log/record-audit.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { publishEvents, publishTo } from '../webhooks/publish-events.ts'
import {
  findEvent,
  selectDeliveries,
  selectUndelivered,
  type DeliveryFilters,
  type EventName,
} from './store.ts'

export interface ReplayDeps {
  db: Database
  clock: Clock
}

export interface MadeDelivery {
  webhookId: string
  deliveryId: string
}

const batchSize = 500
const replayLimit = 100_000

/** The event once more, under its own id, to every endpoint that wants it or to one of them. */
export async function replayEvent(
  deps: ReplayDeps,
  caller: Caller,
  input: { eventId: string; webhookId: string | undefined },
): Promise<MadeDelivery[]> {
  const { orgId } = caller
  const event = await deps.db.inOrg(orgId, (tx) => findEvent(tx, orgId, input.eventId))
  if (!event) throw notFound('The event')
  if (input.webhookId !== undefined) await getWebhook(deps, caller, { webhookId: input.webhookId })
  const names = [{ eventId: event.event_id, eventType: event.event_type }]
  const statement =
    input.webhookId === undefined ? publishEvents(orgId, names) : publishTo(orgId, input.webhookId, names)
  const [made = []] = await deps.db.batchInOrg(orgId, [
    statement,
    auditStatement(caller, orgId, {
      action: 'event.replay',
      resourceType: 'event',
      resourceId: input.eventId,
    }),
  ])
  deps.db.wake(outboxChannel)
  return made as unknown as MadeDelivery[] // the columns that the statement returns
}

/** Everything of a time span that an endpoint has not received, also from before it was registered. */
export async function recoverEndpoint(
  deps: ReplayDeps,
  caller: Caller,
  input: { webhookId: string; since: Date; until: Date | undefined },
): Promise<number> {
  const { orgId } = caller
  await getWebhook(deps, caller, { webhookId: input.webhookId })
  const span = { webhookId: input.webhookId, since: input.since, until: input.until ?? deps.clock.now() }
  let recovered = 0
  let after: string | undefined
  while (recovered < replayLimit) {
    const events = await deps.db.inOrg(orgId, (tx) =>
      selectUndelivered(tx, orgId, { ...span, after, limit: batchSize }),
    )
    if (events.length === 0) break
    const [made = []] = await deps.db.batchInOrg(orgId, [publishTo(orgId, input.webhookId, events)])
    recovered += made.length
    after = events.at(-1)?.eventId
  }
  await audit(deps, caller, { action: 'webhook.recover', resourceId: input.webhookId, count: recovered })
  deps.db.wake(outboxChannel)
  return recovered
}

/** Dead letters that match, each to the endpoint that it did not reach. */
export async function replayDeadLetters(
  deps: ReplayDeps,
  caller: Caller,
  input: { filters: DeliveryFilters },
): Promise<number> {
  const { orgId } = caller
  const filters = { ...input.filters, status: 'dead' }
  const dead = await deps.db.inOrg(orgId, (tx) =>
    selectDeliveries(tx, orgId, { filters, limit: replayLimit, before: undefined }),
  )
  const byEndpoint = Map.groupBy(dead, (delivery) => delivery.webhook_id)
  let replayed = 0
  for (const [webhookId, deliveries] of byEndpoint)
    for (let from = 0; from < deliveries.length; from += batchSize) {
      const names: EventName[] = deliveries
        .slice(from, from + batchSize)
        .map((delivery) => ({ eventId: delivery.event_id, eventType: delivery.event_type }))
      const [made = []] = await deps.db.batchInOrg(orgId, [publishTo(orgId, webhookId, names)])
      replayed += made.length
    }
  await audit(deps, caller, { action: 'dead-letters.replay', resourceId: orgId, count: replayed })
  deps.db.wake(outboxChannel)
  return replayed
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
