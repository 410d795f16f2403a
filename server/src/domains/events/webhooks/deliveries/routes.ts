import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { getDelivery, getEvent, listDeliveries, listEvents } from './reads.ts'
import type { DeliveryReadDeps, ReplayDeps } from './record.ts'
import { recoverEndpoint } from './recover-endpoint.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'
import { replayEvent } from './replay-event.ts'
import * as schema from './schema.ts'
import {
  toDeliveryDetail,
  toDeliveryPage,
  toEventDetail,
  toEventPage,
  toNotificationData,
  toPublishedResponse,
} from './schema.ts'
import { testDataOf } from '../build-test-data.ts'
import { sendManualEvent } from './send-manual-event.ts'

type Deps = DeliveryReadDeps & ReplayDeps

export function deliveryRoutes(app: App, deps: Deps): void {
  readRoutes(app, deps)
  replayRoutes(app, deps)
  manualEventRoutes(app, deps)
}

const tags = ['Webhooks']
const date = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))

function readRoutes(app: App, deps: Deps): void {
  app.get(
    '/v1/public/webhooks/:webhook_id/deliveries',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'webhooks.listDeliveries',
        description: 'Newest first, with the state and the time of the next attempt.',
        summary: 'List the deliveries to a webhook endpoint',
        params: schema.webhookParams,
        querystring: schema.listDeliveriesQuery,
        response: { 200: schema.deliveryPage, ...errors(404) },
      },
    },
    async ({ caller, params, query }) => {
      const filters = { webhookId: params.webhook_id, status: query.status, eventType: query.event_type }
      const page = { limit: query.limit, cursor: query.last_evaluated_key }
      return toDeliveryPage(
        'Deliveries, newest first.',
        await listDeliveries(deps, caller, { filters, page }),
      )
    },
  )
  app.get(
    '/v1/public/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'webhooks.getDelivery',
        description:
          'For debugging a receiver: the exact body, the headers with their signatures, and the first kilobyte of each response.',
        summary: 'Get a delivery with the body, headers and response of each attempt',
        params: schema.deliveryParams,
        response: { 200: schema.deliveryResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toDeliveryDetail(
        await getDelivery(deps, caller, { webhookId: params.webhook_id, deliveryId: params.delivery_id }),
      ),
  )
  app.get(
    '/v1/public/webhooks/events',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'events.list',
        description:
          'Every event is stored once, whether an endpoint exists or not, so a receiver can catch up from here.',
        summary: 'List the events of the organisation',
        querystring: schema.listEventsQuery,
        response: { 200: schema.eventPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toEventPage(
        await listEvents(deps, caller, {
          filters: {
            status: query.status,
            eventType: query.event_type,
            since: date(query.since),
            until: date(query.until),
          },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/public/webhooks/events/:event_id',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'events.get',
        description: '`body` is exactly what receivers get.',
        summary: 'Get an event and its deliveries',
        params: schema.eventParams,
        response: { 200: schema.eventResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => toEventDetail(await getEvent(deps, caller, { eventId: params.event_id })),
  )
  app.get(
    '/v1/public/webhooks/dead-letters',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'deadLetters.list',
        description:
          'A delivery is dead after eight attempts over about two days. It stays until it is replayed or the endpoint is deleted.',
        summary: 'List the deliveries that failed after every attempt',
        querystring: schema.listDeadLettersQuery,
        response: { 200: schema.deliveryPage, ...errors(404) },
      },
    },
    async ({ caller, query }) => {
      const filters = { webhookId: query.webhook_id, eventType: query.event_type, status: 'dead' }
      const page = { limit: query.limit, cursor: query.last_evaluated_key }
      return toDeliveryPage(
        'Dead letters, newest first.',
        await listDeliveries(deps, caller, { filters, page }),
      )
    },
  )
}

function replayRoutes(app: App, deps: Deps): void {
  app.post(
    '/v1/public/webhooks/events/:event_id/replay',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'events.replay',
        description:
          'Sends the same id and bytes to every endpoint that wants the type; receivers deduplicate by `event_id`.',
        summary: 'Replay an event under its original id',
        params: schema.eventParams,
        body: schema.replayBody,
        response: { 200: schema.publishedResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const eventId = params.event_id
      const deliveries = await replayEvent(deps, caller, { eventId, webhookId: body?.webhook_id })
      return toPublishedResponse('Replay started.', { eventId, deliveries })
    },
  )
  app.post(
    '/v1/public/webhooks/dead-letters/replay',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'deadLetters.replay',
        description:
          'Queues at most 1,000 deliveries; repeat the call until `replayed` is 0. The event ids and bodies stay the same.',
        summary: 'Replay the dead letters that match a filter',
        body: schema.replayDeadLettersBody,
        response: { 200: schema.countResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, body }) => {
      const filters = {
        webhookId: body?.webhook_id,
        eventType: body?.event_type,
        since: date(body?.since),
        until: date(body?.until),
      }
      return ok('Replay started.', { replayed: await replayDeadLetters(deps, caller, { filters }) })
    },
  )
  app.post(
    '/v1/public/webhooks/:webhook_id/recover',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.recover',
        description:
          'Sends at most 1,000 events that the endpoint has not received since `since`; repeat the call until `replayed` is 0.',
        summary:
          'Send an endpoint the events that it missed since a given time, including those from before it existed',
        params: schema.webhookParams,
        body: schema.recoverBody,
        response: { 200: schema.countResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const span = { webhookId: params.webhook_id, since: new Date(body.since), until: date(body.until) }
      return ok('Recovery started.', { replayed: await recoverEndpoint(deps, caller, span) })
    },
  )
}

function manualEventRoutes(app: App, deps: Deps): void {
  app.post(
    '/v1/public/webhooks/notify',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.notify',
        description:
          'Sends a `transaction.updated` with the data of the request and `test: true` to every endpoint, whatever it subscribes to. It is signed and retried like any event, and changes no payment.',
        summary: 'Send a manual notification, marked as a test, to every endpoint of the organisation',
        body: schema.notifyBody,
        response: { 200: schema.publishedResponse, ...errors() },
      },
    },
    async ({ caller, body }) =>
      toPublishedResponse(
        'Notification sent.',
        await sendManualEvent(deps, caller, {
          orgId: body.org_id,
          eventType: 'transaction.updated',
          data: toNotificationData(
            body.transaction_data,
            testDataOf('transaction.updated', body.org_id, deps.clock.now()),
          ),
        }),
      ),
  )
  app.post(
    '/v1/public/webhooks/:webhook_id/test',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.test',
        description:
          'Sends an event that is marked as a test to this endpoint only. The delivery is made in the background; look it up to see the response.',
        summary: 'Send a test event to a webhook endpoint',
        params: schema.webhookParams,
        body: schema.testBody,
        response: { 200: schema.publishedResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      toPublishedResponse(
        'Test event sent.',
        await sendManualEvent(deps, caller, {
          orgId: undefined,
          webhookId: params.webhook_id,
          eventType: body?.event_type ?? 'transaction.updated',
          data: testDataOf(body?.event_type ?? 'transaction.updated', caller.orgId, deps.clock.now()),
        }),
      ),
  )
}
