import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../db/database.ts'
import { beforePosition } from '../../../db/keyset.ts'
import type { Position } from '../../../lib/cursor.ts'

export interface DueDelivery {
  deliveryId: string
  webhookId: string
  status: string
  attempts: number
  nextAttemptAt: Date | null
  eventId: string
  eventType: string
  eventData: string
  eventCreatedAt: Date
}

/** What one attempt at each needs to know of the delivery and its event: rows of DueDelivery. */
export const selectDueDeliveries = (orgId: string, deliveryIds: readonly string[]): CompiledQuery =>
  sql`
    select d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.status, d.attempts,
           d.next_attempt_at as "nextAttemptAt", e.event_id as "eventId", e.event_type as "eventType",
           e.data as "eventData", e.created_at as "eventCreatedAt"
    from deliveries d join events e on e.org_id = d.org_id and e.event_id = d.event_id
    where d.org_id = ${orgId} and d.delivery_id = any (${deliveryIds}::uuid[])`.compile(statements)

export interface AttemptRecord {
  deliveryId: string
  /** How many attempts there were before this one. */
  seenAttempts: number
  status: 'pending' | 'succeeded' | 'dead'
  nextAttemptAt: Date | null
  requestHeaders: Record<string, string>
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number
  startedAt: Date
  endedAt: Date
}

/**
 * Attempts and what they mean for their deliveries. Fenced by the number of attempts: two workers with one
 * delivery cannot both count. Gives the ids of those that were written.
 */
export const writeAttempts = (orgId: string, records: readonly AttemptRecord[]): CompiledQuery =>
  sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(records)}::json) as attempt (
        "deliveryId" uuid, "seenAttempts" smallint, status text, "nextAttemptAt" timestamptz,
        "requestHeaders" jsonb, "responseStatus" smallint, "responseBody" text, error text,
        "durationMs" integer, "startedAt" timestamptz, "endedAt" timestamptz)
    ), written as (
      update deliveries d
      set status = given.status, is_parked = false, attempts = d.attempts + 1, next_attempt_at = given."nextAttemptAt",
          last_response_status = given."responseStatus", updated_at = given."endedAt"
      from given
      where d.org_id = ${orgId} and d.delivery_id = given."deliveryId" and d.status = 'pending'
        and d.attempts = given."seenAttempts"
      returning d.delivery_id, d.attempts
    ), kept as (
      insert into delivery_attempts (org_id, delivery_id, attempt_no, request_headers, response_status,
        response_body, error, duration_ms, created_at)
      select ${orgId}::uuid, written.delivery_id, written.attempts, given."requestHeaders",
        given."responseStatus", given."responseBody", given.error, given."durationMs", given."startedAt"
      from written join given on given."deliveryId" = written.delivery_id
    )
    select delivery_id as "deliveryId" from written`.compile(statements)

/** Without another attempt; fenced as they are. */
export const buryDelivery = (orgId: string, deliveryId: string, seenAttempts: number): CompiledQuery =>
  statements
    .updateTable('deliveries')
    .set({ status: 'dead', is_parked: false, next_attempt_at: null, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', deliveryId)
    .where('status', '=', 'pending')
    .where('attempts', '=', seenAttempts)
    .compile()

/** With its attempts, when its endpoint was deleted. */
export const deleteDelivery = (orgId: string, deliveryId: string): CompiledQuery =>
  sql`
    with attempts as (
      delete from delivery_attempts where org_id = ${orgId} and delivery_id = ${deliveryId}
    )
    delete from deliveries where org_id = ${orgId} and delivery_id = ${deliveryId}`.compile(statements)

/** Takes the endpoint's row, so that it is either parked before a resumption looks, or not parked at all. */
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
  'delivery_id',
  'org_id',
  'webhook_id',
  'event_id',
  'event_type',
  'status',
  'attempts',
  'next_attempt_at',
  'last_response_status',
  'created_at',
  'updated_at',
] as const

export interface DeliveryFilters {
  webhookId?: string | undefined
  eventId?: string | undefined
  eventType?: string | undefined
  status?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

export function selectDeliveries(
  tx: Tx,
  orgId: string,
  page: { filters: DeliveryFilters; limit: number; before: Position | undefined },
) {
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

export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number]

export const findDelivery = (tx: Tx, orgId: string, deliveryId: string): Promise<DeliveryRow | undefined> =>
  tx.db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst()

export const selectDeliveryAttempts = (tx: Tx, orgId: string, deliveryId: string) =>
  tx.db
    .selectFrom('delivery_attempts')
    .select([
      'attempt_no',
      'request_headers',
      'response_status',
      'response_body',
      'error',
      'duration_ms',
      'created_at',
    ])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt_no')
    .execute()

export type DeliveryAttemptRow = Awaited<ReturnType<typeof selectDeliveryAttempts>>[number]

const eventColumns = [
  'event_id',
  'event_type',
  'org_id',
  'resource_id',
  'sequence',
  'data',
  'created_at',
] as const

export interface EventFilters {
  eventType?: string | undefined
  /** Of any of its deliveries. */
  status?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

export function selectEvents(
  tx: Tx,
  orgId: string,
  page: { filters: EventFilters; limit: number; before: Position | undefined },
) {
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

export type EventRow = Awaited<ReturnType<typeof selectEvents>>[number]

export const findEvent = (tx: Tx, orgId: string, eventId: string): Promise<EventRow | undefined> =>
  tx.db
    .selectFrom('events')
    .select(eventColumns)
    .where('org_id', '=', orgId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()

export interface EventName {
  eventId: string
  eventType: string
}

export interface EndpointSpan {
  webhookId: string
  /** Null for all. */
  eventTypes: readonly string[] | null
  since: Date
  until: Date
}

/** Events of a time span that an endpoint wants and has not received, also those from before it existed. */
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
    .select(['org_id as orgId', 'delivery_id as deliveryId'])
    .where('status', '=', 'pending')
    .$if(after !== undefined, (query) => query.where('delivery_id', '>', after ?? ''))
    .orderBy('delivery_id')
    .limit(limit)
    .execute()
