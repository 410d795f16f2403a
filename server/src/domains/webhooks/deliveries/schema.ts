import { z } from 'zod'
import { rawNumber } from '../../../lib/json.ts'
import { isFiat, parseMinor, wireAmount } from '../../../lib/money.ts'
import { pageLimit, type Page } from '../../../lib/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/wire.ts'
import { eventBody, eventTypes } from '../rules.ts'
import type { DeliveryDetail } from './list-deliveries.ts'
import type { MadeDelivery } from './replay-events.ts'
import type { ManualEvent } from './send-notification-event.ts'
import type { DeliveryRow, EventRow } from './store.ts'

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
const made = z.object({ webhook_id: uuid, delivery_id: uuid, status: z.literal('pending') })

export const deliveryPage = success(z.array(delivery)).extend({ meta: pageMeta })
export const deliveryResponse = success(
  delivery.extend({ request_body: z.string(), attempt_log: z.array(attempt) }),
)
export const eventPage = success(z.array(event)).extend({ meta: pageMeta })
export const eventResponse = success(event.extend({ deliveries: z.array(delivery) }))
export const madeResponse = success(z.object({ event_id: uuid, deliveries: z.array(made) }))
export const countResponse = success(z.object({ replayed: z.int() }))

const bodyOf = (row: EventRow): string =>
  eventBody({
    eventId: row.event_id,
    eventType: row.event_type,
    orgId: row.org_id,
    createdAt: row.created_at,
    data: row.data,
  })

const toDelivery = ({ org_id: _orgId, ...row }: DeliveryRow): z.input<typeof delivery> => ({
  ...row,
  status: statuses.parse(row.status),
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const toEvent = (row: EventRow): z.input<typeof event> => ({
  event_id: row.event_id,
  event_type: row.event_type,
  resource_id: row.resource_id,
  sequence: row.sequence,
  body: bodyOf(row),
  created_at: row.created_at.toISOString(),
})

export const toDeliveryPage = (message: string, found: Page<DeliveryRow>): z.input<typeof deliveryPage> => ({
  ...ok(message, found.items.map(toDelivery)),
  meta: { count: found.items.length, last_evaluated_key: found.nextCursor },
})

export const toDeliveryDetail = (detail: DeliveryDetail): z.input<typeof deliveryResponse> =>
  ok('The delivery with every attempt.', {
    ...toDelivery(detail.delivery),
    request_body: bodyOf(detail.event),
    attempt_log: detail.attempts.map((row) => ({
      attempt: row.attempt_no,
      request_headers: z.record(z.string(), z.string()).parse(row.request_headers),
      response_status: row.response_status,
      response_body: row.response_body,
      error: row.error,
      duration_ms: row.duration_ms,
      created_at: row.created_at.toISOString(),
    })),
  })

export const toEventPage = (found: Page<EventRow>): z.input<typeof eventPage> => ({
  ...ok('Events, newest first.', found.items.map(toEvent)),
  meta: { count: found.items.length, last_evaluated_key: found.nextCursor },
})

export const toEventDetail = (found: {
  event: EventRow
  deliveries: DeliveryRow[]
}): z.input<typeof eventResponse> =>
  ok('The event and where it went.', {
    ...toEvent(found.event),
    deliveries: found.deliveries.map(toDelivery),
  })

const toMade = ({ webhookId, deliveryId }: MadeDelivery): z.input<typeof made> => ({
  webhook_id: webhookId,
  delivery_id: deliveryId,
  status: 'pending',
})

export const toMadeResponse = (message: string, result: ManualEvent): z.input<typeof madeResponse> =>
  ok(message, { event_id: result.eventId, deliveries: result.deliveries.map(toMade) })

/** With the currency's decimals where we know it; never an integer. */
export function notifyData(data: z.infer<typeof notifyBody>['transaction_data']): object {
  const minor = isFiat(data.currency) ? parseMinor(String(data.amount), data.currency) : undefined
  const plain = String(data.amount)
  const amount =
    minor === undefined
      ? rawNumber(/[.e]/.test(plain) ? plain : `${plain}.0`)
      : wireAmount(minor, data.currency)
  return { ...data, amount }
}
