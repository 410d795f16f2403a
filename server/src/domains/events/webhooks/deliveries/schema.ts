import { z } from 'zod'
import { rawNumber } from '../../../../lib/text/json.ts'
import { isFiat, parseMinor, wireAmount } from '../../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../../lib/requests/wire.ts'
import { eventTypes, type notificationData } from '../events.ts'
import type { CreatedDelivery } from '../record.ts'
import { eventBody } from '../rules.ts'
import type { Delivery, DeliveryDetail, EventDetail, PublishedEvent, RecordedEvent } from './record.ts'

const statuses = z.enum(['pending', 'succeeded', 'dead', 'replayed'])
const moment = z.iso.datetime({ offset: true })
const page = { limit: pageLimit, last_evaluated_key: z.string().max(1024).optional() }

export const webhookParams = z.object({ webhook_id: uuid })
export const deliveryParams = z.object({ webhook_id: uuid, delivery_id: uuid })
export const eventParams = z.object({ event_id: uuid })
export const listDeliveriesQuery = z.object({
  status: statuses.optional(),
  event_type: z.enum(eventTypes).optional(),
  ...page,
})
export const listEventsQuery = z.object({
  status: statuses.optional(),
  event_type: z.enum(eventTypes).optional(),
  since: moment.optional(),
  until: moment.optional(),
  ...page,
})
export const listDeadLettersQuery = z.object({
  webhook_id: uuid.optional(),
  event_type: z.enum(eventTypes).optional(),
  ...page,
})
export const replayBody = z.object({ webhook_id: uuid.optional() }).optional()
export const replayDeadLettersBody = z
  .object({
    webhook_id: uuid.optional(),
    event_type: z.enum(eventTypes).optional(),
    since: moment.optional(),
    until: moment.optional(),
  })
  .optional()
export const recoverBody = z.object({ since: moment, until: moment.optional() })
export const testBody = z.object({ event_type: z.enum(eventTypes).default('transaction.updated') }).optional()
export const notifyBody = z.object({
  org_id: uuid,
  transaction_data: z.object({
    transaction_id: z.string().min(1).max(255),
    status: z.string().min(1).max(60),
    amount: z.number(),
    currency: z.string().min(3).max(10),
    updated_at: moment,
  }),
})

const delivery = z
  .object({
    delivery_id: uuid,
    webhook_id: uuid,
    event_id: uuid,
    event_type: z.string(),
    status: statuses,
    attempts: z.int(),
    next_attempt_at: dateTime.nullable(),
    last_response_status: z.int().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Delivery' })

const attempt = z.object({
  attempt: z.int(),
  request_headers: z.record(z.string(), z.string()),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  created_at: dateTime,
})

const event = z
  .object({
    event_id: uuid,
    event_type: z.string(),
    resource_id: uuid,
    sequence: z.int(),
    body: z.string().meta({ description: 'The exact bytes that are signed and sent.' }),
    created_at: dateTime,
  })
  .meta({ id: 'Event' })

const pageMeta = z.object({ count: z.int(), last_evaluated_key: z.string().nullable() })
const createdDelivery = z.object({ webhook_id: uuid, delivery_id: uuid, status: z.literal('pending') })

export const deliveryPage = success(z.array(delivery)).extend({ meta: pageMeta })
export const deliveryResponse = success(
  delivery.extend({ request_body: z.string(), attempt_log: z.array(attempt) }),
)
export const eventPage = success(z.array(event)).extend({ meta: pageMeta })
export const eventResponse = success(event.extend({ deliveries: z.array(delivery) }))
export const publishedResponse = success(z.object({ event_id: uuid, deliveries: z.array(createdDelivery) }))
export const countResponse = success(z.object({ replayed: z.int() }))

const toDelivery = (record: Delivery): z.input<typeof delivery> => ({
  delivery_id: record.deliveryId,
  webhook_id: record.webhookId,
  event_id: record.eventId,
  event_type: record.eventType,
  status: statuses.parse(record.status),
  attempts: record.attempts,
  next_attempt_at: record.nextAttemptAt?.toISOString() ?? null,
  last_response_status: record.lastResponseStatus,
  created_at: record.createdAt.toISOString(),
  updated_at: record.updatedAt.toISOString(),
})

const toEvent = (record: RecordedEvent): z.input<typeof event> => ({
  event_id: record.eventId,
  event_type: record.eventType,
  resource_id: record.resourceId,
  sequence: record.sequence,
  body: eventBody(record),
  created_at: record.createdAt.toISOString(),
})

export const toDeliveryPage = (message: string, found: Page<Delivery>): z.input<typeof deliveryPage> => ({
  ...ok(message, found.items.map(toDelivery)),
  meta: { count: found.items.length, last_evaluated_key: found.nextCursor },
})

export const toDeliveryDetail = (detail: DeliveryDetail): z.input<typeof deliveryResponse> =>
  ok('The delivery with every attempt.', {
    ...toDelivery(detail.delivery),
    request_body: eventBody(detail.event),
    attempt_log: detail.attempts.map((record) => ({
      attempt: record.attemptNo,
      request_headers: z.record(z.string(), z.string()).parse(record.requestHeaders),
      response_status: record.responseStatus,
      response_body: record.responseBody,
      error: record.error,
      duration_ms: record.durationMs,
      created_at: record.createdAt.toISOString(),
    })),
  })

export const toEventPage = (found: Page<RecordedEvent>): z.input<typeof eventPage> => ({
  ...ok('Events, newest first.', found.items.map(toEvent)),
  meta: { count: found.items.length, last_evaluated_key: found.nextCursor },
})

export const toEventDetail = ({ event: record, deliveries }: EventDetail): z.input<typeof eventResponse> =>
  ok('The event and its deliveries.', { ...toEvent(record), deliveries: deliveries.map(toDelivery) })

const toCreatedDelivery = ({ webhookId, deliveryId }: CreatedDelivery): z.input<typeof createdDelivery> => ({
  webhook_id: webhookId,
  delivery_id: deliveryId,
  status: 'pending',
})

export const toPublishedResponse = (
  message: string,
  result: PublishedEvent,
): z.input<typeof publishedResponse> =>
  ok(message, { event_id: result.eventId, deliveries: result.deliveries.map(toCreatedDelivery) })

/** A test event about a payment whose id, status and amount are the caller's. Unknown currencies get one decimal. */
export function toNotificationData(
  data: z.infer<typeof notifyBody>['transaction_data'],
  sample: z.input<typeof notificationData>,
): z.input<typeof notificationData> & { test: true } {
  const minor = isFiat(data.currency) ? parseMinor(String(data.amount), data.currency) : undefined
  const plain = String(data.amount)
  const amount =
    minor === undefined
      ? rawNumber(/[.e]/.test(plain) ? plain : `${plain}.0`)
      : wireAmount(minor, data.currency)
  return {
    ...sample,
    payment_id: data.transaction_id,
    transaction_id: data.transaction_id,
    status: data.status,
    amount,
    currency: data.currency,
    target_amount: amount,
    target_currency: data.currency,
    updated_at: data.updated_at,
    test: true,
  }
}
