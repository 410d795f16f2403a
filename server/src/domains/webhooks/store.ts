import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../db/database.ts'
import type { FanOutOptions, NewEvent, Webhook, WebhookChange, WebhookStatus } from './record.ts'

const columns = [
  'org_id as orgId',
  'webhook_id as webhookId',
  'endpoint_url as endpointUrl',
  'description',
  'events',
  'status',
  'secret_sealed as secretSealed',
  'previous_secret_sealed as previousSecretSealed',
  'previous_secret_until as previousSecretUntil',
  'failing_since as failingSince',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const toWebhook = (row: Omit<Webhook, 'status'> & { status: string }): Webhook => ({
  ...row,
  status: row.status as WebhookStatus, // check constraint
})

export async function insertWebhook(
  tx: Tx,
  orgId: string,
  webhook: Pick<Webhook, 'webhookId' | 'endpointUrl' | 'description' | 'events' | 'secretSealed'>,
): Promise<Webhook> {
  const row = await tx.db
    .insertInto('webhooks')
    .values({
      org_id: orgId,
      webhook_id: webhook.webhookId,
      endpoint_url: webhook.endpointUrl,
      description: webhook.description,
      events: webhook.events,
      secret_sealed: webhook.secretSealed,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toWebhook(row)
}

export async function selectWebhooks(tx: Tx, orgId: string): Promise<Webhook[]> {
  const rows = await tx.db
    .selectFrom('webhooks')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('status', '<>', 'deleted')
    .orderBy('created_at')
    .orderBy('webhook_id')
    .execute()
  return rows.map(toWebhook)
}

export async function countWebhooks(tx: Tx, orgId: string): Promise<number> {
  const row = await tx.db
    .selectFrom('webhooks')
    .select((query) => query.fn.countAll<bigint>().as('total'))
    .where('org_id', '=', orgId)
    .where('status', '<>', 'deleted')
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

export async function findWebhook(tx: Tx, orgId: string, webhookId: string): Promise<Webhook | undefined> {
  const row = await tx.db
    .selectFrom('webhooks')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('status', '<>', 'deleted')
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst()
  return row && toWebhook(row)
}

/** The endpoints of some deliveries: rows of Webhook. */
export const selectWebhooksOf = (orgId: string, deliveryIds: readonly string[]): CompiledQuery =>
  statements
    .selectFrom('webhooks')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('status', '<>', 'deleted')
    .where(
      'webhook_id',
      'in',
      statements
        .selectFrom('deliveries')
        .select('webhook_id')
        .where('org_id', '=', orgId)
        .where('delivery_id', '=', sql<string>`any (${deliveryIds}::uuid[])`),
    )
    .compile()

export async function updateWebhook(
  tx: Tx,
  orgId: string,
  webhookId: string,
  change: WebhookChange,
): Promise<Webhook | undefined> {
  const row = await tx.db
    .updateTable('webhooks')
    .set({
      ...(change.endpointUrl !== undefined && { endpoint_url: change.endpointUrl }),
      ...(change.description !== undefined && { description: change.description }),
      ...(change.events !== undefined && { events: change.events }),
      ...(change.status !== undefined && { status: change.status }),
      ...(change.secretSealed !== undefined && { secret_sealed: change.secretSealed }),
      ...(change.previousSecretSealed !== undefined && {
        previous_secret_sealed: change.previousSecretSealed,
      }),
      ...(change.previousSecretUntil !== undefined && { previous_secret_until: change.previousSecretUntil }),
      ...(change.failingSince !== undefined && { failing_since: change.failingSince }),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('webhook_id', '=', webhookId)
    .where('status', '<>', 'deleted')
    .returning(columns)
    .executeTakeFirst()
  return row && toWebhook(row)
}

/** Keeps the first failure's time, and leaves a healthy row alone. */
export async function noteHealth(
  tx: Tx,
  orgId: string,
  webhookId: string,
  failingSince: Date | null,
): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ failing_since: failingSince })
    .where('org_id', '=', orgId)
    .where('webhook_id', '=', webhookId)
    .where('failing_since', failingSince ? 'is' : 'is not', null)
    .execute()
}

/** False when somebody else did it, or when an event has arrived since: it is done and told once. */
export async function disableWebhook(
  tx: Tx,
  orgId: string,
  webhookId: string,
  failingSince: Date,
): Promise<boolean> {
  const row = await tx.db
    .updateTable('webhooks')
    .set({ status: 'disabled', updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'active')
    .where('failing_since', '=', failingSince)
    .returning('webhook_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Gone for everybody at once, and its secrets for good; deleteSomeDeliveries and forgetWebhook do the rest. */
export async function markWebhookDeleted(tx: Tx, orgId: string, webhookId: string): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({
      status: 'deleted',
      secret_sealed: Buffer.alloc(0),
      previous_secret_sealed: null,
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('webhook_id', '=', webhookId)
    .execute()
}

export const insertEvents = (orgId: string, events: readonly NewEvent[]): CompiledQuery =>
  statements
    .insertInto('events')
    .values(
      events.map((event) => ({
        org_id: orgId,
        event_id: event.eventId,
        event_type: event.eventType,
        resource_id: event.resourceId,
        sequence: event.sequence,
        data: event.data,
        created_at: event.createdAt,
      })),
    )
    .compile()

/** Some of an endpoint's deliveries with their attempts: as many rows as there were. */
export const deleteSomeDeliveries = (orgId: string, webhookId: string, limit: number): CompiledQuery =>
  sql`
    with gone as (
      delete from deliveries d using (
        select delivery_id from deliveries where org_id = ${orgId} and webhook_id = ${webhookId} limit ${limit}
      ) few
      where d.org_id = ${orgId} and d.delivery_id = few.delivery_id
      returning d.delivery_id
    ), attempts as (
      delete from delivery_attempts a using gone
      where a.org_id = ${orgId} and a.delivery_id = gone.delivery_id
    )
    select delivery_id from gone`.compile(statements)

export const forgetWebhook = (orgId: string, webhookId: string): CompiledQuery =>
  statements
    .deleteFrom('webhooks')
    .where('org_id', '=', orgId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'deleted')
    .compile()

export const selectDeletedWebhooksAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('webhooks')
    .select(['org_id as orgId', 'webhook_id as webhookId'])
    .where('status', '=', 'deleted')
    .$if(after !== undefined, (query) => query.where('webhook_id', '>', after ?? ''))
    .orderBy('webhook_id')
    .limit(limit)
    .execute()

/** A job for each of some deliveries that waited for a paused endpoint: as many rows as there were. */
export const requeueParked = (orgId: string, webhookId: string, limit: number): CompiledQuery =>
  sql`
    with resumed as (
      update deliveries d set is_parked = false, updated_at = now()
      from (
        select delivery_id from deliveries
        where org_id = ${orgId} and webhook_id = ${webhookId} and is_parked
        limit ${limit} for update
      ) parked
      where d.org_id = ${orgId} and d.delivery_id = parked.delivery_id
      returning d.org_id, d.delivery_id
    )
    insert into outbox (org_id, outbox_id, service, handler, payload)
    select org_id, gen_random_uuid(), 'Deliveries', 'deliver',
           jsonb_build_object('orgId', org_id, 'deliveryId', delivery_id)
    from resumed
    returning outbox_id`.compile(statements)

const replaced = sql`replaced as (
      update deliveries d set status = 'replayed', updated_at = now() from made
      where d.org_id = made.org_id and d.event_id = made.event_id and d.webhook_id = made.webhook_id
        and d.status = 'dead'
    ),`

/**
 * One delivery and one job per event and endpoint that wants it, in the transaction that made the events. An
 * organisation without endpoints pays for one index look-up and wakes nobody.
 */
export const fanOut = (
  orgId: string,
  events: readonly { eventId: string; eventType: string }[],
  { webhookId = null, isUnasked = false, isReplay = false }: FanOutOptions = {},
): CompiledQuery =>
  sql`
    with made as (
      insert into deliveries (org_id, delivery_id, webhook_id, event_id, event_type)
      select w.org_id, gen_random_uuid(), w.webhook_id, e.event_id, e.event_type
      from unnest(${events.map(({ eventId }) => eventId)}::uuid[], ${events.map(({ eventType }) => eventType)}::text[])
        as e (event_id, event_type)
      join webhooks w on w.org_id = ${orgId}
        and (${webhookId}::uuid is null or w.webhook_id = ${webhookId}::uuid)
        and w.status in ('active', 'paused') and (${isUnasked}::boolean or w.events is null or e.event_type = any (w.events))
      returning org_id, delivery_id, webhook_id, event_id
    ), ${isReplay ? replaced : sql``} jobs as (
      insert into outbox (org_id, outbox_id, service, handler, payload)
      select org_id, delivery_id, 'Deliveries', 'deliver',
             jsonb_build_object('orgId', org_id, 'deliveryId', delivery_id)
      from made
    )
    select delivery_id as "deliveryId", webhook_id as "webhookId" from made`.compile(statements)
