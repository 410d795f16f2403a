import { sql, type CompiledQuery } from 'kysely'
import { compileOnce } from '../../../../kernel/db/compile-once.ts'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import { dropRows } from '../../../../kernel/engine/outbox.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type {
  AttemptRecord,
  ClaimedColumns,
  Delivery,
  DeliveryAttempt,
  DeliveryFilters,
  DueDelivery,
  EndpointSpan,
  EventFilters,
  EventName,
  RecordedEvent,
} from './record.ts'

/** Another process may have written the time, so the database's clock writes it and judges it. */
const dueInMs = sql`extract(epoch from d.next_attempt_at - money_clock())::double precision * 1000`

/** The given deliveries with their events, as rows of DueDelivery. */
export const selectDueDeliveries = (orgId: string, deliveryIds: readonly string[]): CompiledQuery =>
  sql`
    select d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.status, d.attempts,
           ${dueInMs} as "dueInMs", e.event_id as "eventId", e.event_type as "eventType",
           e.data as "eventData", e.created_at as "eventCreatedAt"
    from deliveries d join events e on e.org_id = d.org_id and e.event_id = d.event_id
    where d.org_id = ${orgId} and d.delivery_id = any (${deliveryIds}::uuid[])`.compile(statements)

/** What the first attempt of a claimed delivery needs, beside the columns of its row in the outbox. */
export const claimedDelivery = sql<ClaimedColumns>`
    select d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.status as "deliveryStatus",
           d.attempts as "madeAttempts", ${dueInMs} as "dueInMs", e.event_id as "eventId",
           e.event_type as "eventType", e.data as "eventData", e.created_at as "eventCreatedAt",
           w.status as "endpointStatus", w.endpoint_url as "endpointUrl", w.secret_sealed as "secretSealed",
           w.previous_secret_sealed as "previousSecretSealed", w.previous_secret_until as "previousSecretUntil",
           w.failing_since as "failingSince"
    from deliveries d join events e on e.org_id = d.org_id and e.event_id = d.event_id
    left join webhooks w on w.org_id = d.org_id and w.webhook_id = d.webhook_id and w.status <> 'deleted'
    where d.org_id = claimed."orgId" and d.delivery_id = (claimed.payload ->> 'deliveryId')::uuid`

/**
 * Inserts attempts and updates their deliveries, and returns the ids of the deliveries that it has written. The number
 * of earlier attempts is the fence: of two workers with the same delivery, only one records its attempt. A claimed
 * delivery that has ended loses its job in the outbox.
 */
export const writeAttemptsAcrossOrgs = (records: readonly AttemptRecord[]): CompiledQuery =>
  writeGiven({ records: JSON.stringify(records) })

/** The same for attempts of one organisation. */
export const writeAttempts = (orgId: string, records: readonly AttemptRecord[]): CompiledQuery =>
  writeAttemptsAcrossOrgs(records.map((record) => ({ ...record, orgId })))

const writeGiven = compileOnce<{ records: string }>(({ records }) =>
  sql`
    with given as (
      select * from json_to_recordset(${records}::json) as attempt (
        "orgId" uuid, "deliveryId" uuid, "outboxId" uuid, "expectedAttempts" smallint, status text,
        "retryInMs" double precision, "requestHeaders" jsonb, "responseStatus" smallint, "responseBody" text, error text,
        "durationMs" integer, "startedAt" timestamptz, "endedAt" timestamptz)
    ), written as (
      update deliveries d
      set status = given.status, is_parked = false, attempts = d.attempts + 1,
          next_attempt_at = money_clock() + given."retryInMs" * interval '1 millisecond',
          last_response_status = given."responseStatus", updated_at = given."endedAt"
      from given
      where d.org_id = given."orgId" and d.delivery_id = given."deliveryId" and d.status = 'pending'
        and d.attempts = given."expectedAttempts"
      returning d.org_id, d.delivery_id, d.attempts, d.status, given."outboxId" as outbox_id,
        given."requestHeaders", given."responseStatus", given."responseBody", given.error, given."durationMs",
        given."startedAt"
    ), inserted as (
      insert into delivery_attempts (org_id, delivery_id, attempt_no, request_headers, response_status,
        response_body, error, duration_ms, created_at)
      select org_id, delivery_id, attempts, "requestHeaders", "responseStatus", "responseBody", error, "durationMs",
        "startedAt"
      from written
    ), ended as (
      select org_id, outbox_id from written where status <> 'pending' and outbox_id is not null
    ), dropped as (${dropRows('ended')})
    select delivery_id as "deliveryId" from written`.compile(statements),
)

/** Dead-letters a delivery without another attempt, under the same fence. */
export const deadLetterDelivery = (
  orgId: string,
  deliveryId: string,
  expectedAttempts: number,
): CompiledQuery =>
  statements
    .updateTable('deliveries')
    .set({ status: 'dead', is_parked: false, next_attempt_at: null, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', deliveryId)
    .where('status', '=', 'pending')
    .where('attempts', '=', expectedAttempts)
    .compile()

/** Deletes a delivery and its attempts. */
export const deleteDelivery = (orgId: string, deliveryId: string): CompiledQuery =>
  sql`
    with attempts as (
      delete from delivery_attempts where org_id = ${orgId} and delivery_id = ${deliveryId}
    )
    delete from deliveries where org_id = ${orgId} and delivery_id = ${deliveryId}`.compile(statements)

/** Deletes up to `limit` deliveries of an endpoint with their attempts, and returns one row for each. */
export const deleteDeliveryBatch = (orgId: string, webhookId: string, limit: number): CompiledQuery =>
  sql`
    with deleted as (
      delete from deliveries d using (
        select delivery_id from deliveries where org_id = ${orgId} and webhook_id = ${webhookId} limit ${limit}
      ) batch
      where d.org_id = ${orgId} and d.delivery_id = batch.delivery_id
      returning d.delivery_id
    ), attempts as (
      delete from delivery_attempts a using deleted
      where a.org_id = ${orgId} and a.delivery_id = deleted.delivery_id
    )
    select delivery_id from deleted`.compile(statements)

/** Locks the endpoint, so that a concurrent resumption either sees the parked delivery or prevents the parking. */
export const parkDelivery = (
  orgId: string,
  { deliveryId, webhookId }: Pick<DueDelivery, 'deliveryId' | 'webhookId'>,
): CompiledQuery =>
  sql`
    with paused as materialized (
      select webhook_id from webhooks
      where org_id = ${orgId} and webhook_id = ${webhookId} and status = 'paused'
      for share
    )
    update deliveries d set is_parked = true, updated_at = now() from paused
    where d.org_id = ${orgId} and d.delivery_id = ${deliveryId} and d.status = 'pending'
    returning d.delivery_id`.compile(statements)

const deliveryColumns = [
  'delivery_id as deliveryId',
  'webhook_id as webhookId',
  'event_id as eventId',
  'event_type as eventType',
  'status',
  'attempts',
  'next_attempt_at as nextAttemptAt',
  'last_response_status as lastResponseStatus',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export function selectDeliveries(
  tx: Tx,
  orgId: string,
  page: { filters: DeliveryFilters; limit: number; before: Position | undefined },
): Promise<Delivery[]> {
  const { filters } = page
  let query = tx.db.selectFrom('deliveries').select(deliveryColumns).where('org_id', '=', orgId)
  if (filters.webhookId !== undefined) query = query.where('webhook_id', '=', filters.webhookId)
  if (filters.eventId !== undefined) query = query.where('event_id', '=', filters.eventId)
  if (filters.eventType !== undefined) query = query.where('event_type', '=', filters.eventType)
  if (filters.status !== undefined) query = query.where('status', '=', filters.status)
  if (filters.since) query = query.where('created_at', '>=', filters.since)
  if (filters.until) query = query.where('created_at', '<', filters.until)
  if (page.before) query = query.where(beforePosition('created_at', 'delivery_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('delivery_id', 'desc').limit(page.limit).execute()
}

export const findDelivery = (tx: Tx, orgId: string, deliveryId: string): Promise<Delivery | undefined> =>
  tx.db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst()

export const selectDeliveryAttempts = (
  tx: Tx,
  orgId: string,
  deliveryId: string,
): Promise<DeliveryAttempt[]> =>
  tx.db
    .selectFrom('delivery_attempts')
    .select([
      'attempt_no as attemptNo',
      'request_headers as requestHeaders',
      'response_status as responseStatus',
      'response_body as responseBody',
      'error',
      'duration_ms as durationMs',
      'created_at as createdAt',
    ])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt_no')
    .execute()

const eventColumns = [
  'event_id as eventId',
  'event_type as eventType',
  'org_id as orgId',
  'resource_id as resourceId',
  'sequence',
  'data',
  'created_at as createdAt',
] as const

export function selectEvents(
  tx: Tx,
  orgId: string,
  page: { filters: EventFilters; limit: number; before: Position | undefined },
): Promise<RecordedEvent[]> {
  const { filters } = page
  let query = tx.db.selectFrom('events').select(eventColumns).where('org_id', '=', orgId)
  if (filters.eventType !== undefined) query = query.where('event_type', '=', filters.eventType)
  if (filters.since) query = query.where('created_at', '>=', filters.since)
  if (filters.until) query = query.where('created_at', '<', filters.until)
  if (filters.status !== undefined)
    query = query.where(
      sql<boolean>`exists (select 1 from deliveries d where d.org_id = events.org_id
        and d.event_id = events.event_id and d.status = ${filters.status})`,
    )
  if (page.before) query = query.where(beforePosition('created_at', 'event_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('event_id', 'desc').limit(page.limit).execute()
}

export const findEvent = (tx: Tx, orgId: string, eventId: string): Promise<RecordedEvent | undefined> =>
  tx.db
    .selectFrom('events')
    .select(eventColumns)
    .where('org_id', '=', orgId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()

/** Events of a period that an endpoint subscribes to and has not received, including those before its registration. */
export const selectUndelivered = (
  tx: Tx,
  orgId: string,
  span: EndpointSpan & { before: Position | undefined; limit: number },
): Promise<(EventName & { createdAt: Date })[]> => {
  let query = tx.db
    .selectFrom('events')
    .select(['event_id as eventId', 'event_type as eventType', 'created_at as createdAt'])
    .where('org_id', '=', orgId)
    .where('created_at', '>=', span.since)
    .where('created_at', '<', span.until)
    .where(
      sql<boolean>`not exists (select 1 from deliveries d where d.org_id = events.org_id and d.event_id = events.event_id
        and d.webhook_id = ${span.webhookId} and d.status in ('succeeded', 'pending'))`,
    )
  if (span.eventTypes) query = query.where('event_type', 'in', span.eventTypes)
  if (span.before) query = query.where(beforePosition('created_at', 'event_id', span.before))
  return query.orderBy('created_at', 'desc').orderBy('event_id', 'desc').limit(span.limit).execute()
}

export const selectPendingDeliveriesAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('deliveries')
    .select(['org_id as orgId', 'delivery_id as deliveryId', 'webhook_id as webhookId'])
    .where('status', '=', 'pending')
    .$if(after !== undefined, (query) => query.where('delivery_id', '>', after ?? ''))
    .orderBy('delivery_id')
    .limit(limit)
    .execute()

/** Whether an event of the range still has to be delivered. */
export async function hasPendingAcrossOrgs(tx: Tx, ids: { fromId: string; toId: string }): Promise<boolean> {
  const row = await tx.db
    .selectFrom('deliveries')
    .select('event_id')
    .where('status', '=', 'pending')
    .where('event_id', '>=', ids.fromId)
    .where('event_id', '<', ids.toId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest events since then, without their data. */
export const selectRecentEvents = (
  tx: Tx,
  orgId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<{ type: string; id: string; sequence: number }[]> =>
  tx.db
    .selectFrom('events')
    .select(['event_type as type', 'resource_id as id', 'sequence'])
    .where('org_id', '=', orgId)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
