import { isExpression, sql, type CompiledQuery, type Expression, type RawBuilder } from 'kysely'
import { compileOnce, compileRowsOnce } from '../../../kernel/db/compile-once.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { enqueueRows } from '../../../kernel/engine/outbox.ts'
import { deliveryServiceName } from './deliveries/rules.ts'
import type { EventType } from './events.ts'
import type { EventFromRow, FanOut, FanOutOptions, NewEvent, Webhook, WebhookChange } from './record.ts'

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
  status: row.status as Webhook['status'], // check constraint
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

/** The endpoints of the given deliveries, as rows of Webhook. */
export const selectWebhooksOfDeliveries = (orgId: string, deliveryIds: readonly string[]): CompiledQuery =>
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

/** Sets or clears the time of the first failure. A row that has the right state already is not written. */
export async function updateFailingSince(
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

/** False when another worker has disabled it or a delivery has succeeded since, so that one worker sends the notice. */
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

/** Hides the endpoint and erases its secrets. Its deliveries and its row are deleted later, in batches. */
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
  insertEventRows(events.map((event) => ({ ...event, orgId })))

const insertEventRows = compileRowsOnce<NewEvent & { orgId: string }>((rows) => {
  const columns = rows.map(({ orgId, eventId, eventType, resourceId, sequence, data, createdAt }) => ({
    org_id: orgId,
    event_id: eventId,
    event_type: eventType,
    resource_id: resourceId,
    sequence,
    data,
    created_at: createdAt,
  }))
  return statements.insertInto('events').values(columns).compile()
})

/**
 * An insert for a larger statement, whose common table expression `rows` has one row and gives the fields that only the
 * database knows. row_to_json keeps the order of the fields and the digits of json values, as JSON.stringify does.
 */
export const insertEventFrom = <Type extends EventType>(
  orgId: string,
  rows: string,
  event: EventFromRow<Type>,
): RawBuilder<unknown> => {
  const fields = Object.entries(event.data).map(([name, value]) =>
    isExpression(value)
      ? sql`${value} as ${sql.id(name)}`
      : sql`${JSON.stringify(value)}::json as ${sql.id(name)}`,
  )
  return sql`
      insert into events (org_id, event_id, event_type, resource_id, sequence, data, created_at)
      select ${orgId}, ${event.eventId}, ${event.eventType}, ${event.resourceId}, data.sequence,
        row_to_json(data)::text, ${event.createdAt}
      from ${sql.table(rows)}, lateral (select ${sql.join(fields)}) data
      returning event_id`
}

export const deleteWebhookRow = (orgId: string, webhookId: string): CompiledQuery =>
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

const deliveryJobs = (rows: string, outboxId: RawBuilder<string>): RawBuilder<unknown> =>
  enqueueRows(rows, {
    outboxId,
    service: deliveryServiceName,
    handler: 'deliver',
    payload: sql`jsonb_build_object('orgId', org_id, 'deliveryId', delivery_id)`,
    receiver: sql`webhook_id`,
  })

/** Enqueues up to `limit` deliveries that were parked for a paused endpoint, and returns one row for each. */
export const requeueParkedBatch = (orgId: string, webhookId: string, limit: number): CompiledQuery =>
  sql`
    with resumed as (
      update deliveries d set is_parked = false, updated_at = now()
      from (
        select delivery_id from deliveries
        where org_id = ${orgId} and webhook_id = ${webhookId} and is_parked
        limit ${limit} for update
      ) parked
      where d.org_id = ${orgId} and d.delivery_id = parked.delivery_id
      returning d.org_id, d.delivery_id, d.webhook_id
    )
    ${deliveryJobs('resumed', sql`gen_random_uuid()`)}`.compile(statements)

const markReplayed = sql`replayed as (
      update deliveries d set status = 'replayed', updated_at = now() from created
      where d.org_id = created.org_id and d.event_id = created.event_id and d.webhook_id = created.webhook_id
        and d.status = 'dead'
    ),`

/** Of an event that was archived meanwhile there is nothing to send. */
const stillStored = (orgId: Expression<string>) => sql`
      join events stored on stored.org_id = ${orgId} and stored.event_id = e.event_id`

const fanOutStatement = (isReplay: boolean) =>
  compileOnce<FanOut>(({ orgId, eventIds, eventTypes, webhookId, ignoresSubscriptions }) =>
    sql`
    with created as (
      insert into deliveries (org_id, delivery_id, webhook_id, event_id, event_type)
      select w.org_id, uuidv7(), w.webhook_id, e.event_id, e.event_type
      from unnest(${eventIds}::uuid[], ${eventTypes}::text[]) as e (event_id, event_type)
      ${isReplay ? stillStored(orgId) : sql``}
      join webhooks w on w.org_id = ${orgId} and w.status in ('active', 'paused')
        and (${webhookId}::uuid is null or w.webhook_id = ${webhookId}::uuid)
        and (${ignoresSubscriptions}::boolean or w.events is null or e.event_type = any (w.events))
      returning org_id, delivery_id, webhook_id, event_id
    ), ${isReplay ? markReplayed : sql``} jobs as (${deliveryJobs('created', sql`delivery_id`)})
    select delivery_id as "deliveryId", webhook_id as "webhookId" from created`.compile(statements),
  )
const fanOuts = { first: fanOutStatement(false), replay: fanOutStatement(true) }

/**
 * Creates one delivery and one job for each event and subscribed endpoint, in the transaction of the events. For an
 * organisation without endpoints it costs one index lookup and does not wake the relay.
 */
export function fanOut(
  orgId: string,
  events: readonly { eventId: string; eventType: string }[],
  { webhookId = null, ignoresSubscriptions = false, isReplay = false }: FanOutOptions = {},
): CompiledQuery {
  const eventIds = events.map(({ eventId }) => eventId)
  const eventTypes = events.map(({ eventType }) => eventType)
  const statement = fanOuts[isReplay ? 'replay' : 'first']
  return statement({ orgId, eventIds, eventTypes, webhookId, ignoresSubscriptions })
}
