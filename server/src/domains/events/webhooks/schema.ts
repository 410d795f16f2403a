import { z } from 'zod'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { eventTypes } from './events.ts'
import type { RegisteredWebhook, Webhook } from './record.ts'

/** Spec 2.7. */
export const webhookParams = z.object({ webhook_id: uuid })

const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(eventTypes.length)
  .nullish()
  .meta({ description: 'Event types to receive. All when it is left out.' })
const endpointUrl = z.url().max(2000)

export const registerWebhookBody = z.object({
  endpoint_url: endpointUrl,
  events,
  description: z.string().trim().min(1).max(500).nullish(),
})
export const updateWebhookBody = z.object({
  endpoint_url: endpointUrl.optional(),
  events,
  description: z.string().trim().min(1).max(500).nullish(),
  status: z.enum(['active', 'paused']).optional(),
})

const webhook = z
  .object({
    webhook_id: uuid,
    org_id: uuid,
    endpoint_url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()),
    status: z.enum(['active', 'paused', 'disabled']),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Webhook' })

export const webhookResponse = success(webhook)
export const webhookList = success(z.array(webhook)).extend({ count: z.int() })
export const registeredWebhookResponse = success(
  webhook.extend({
    secret_key: z.string().meta({ description: 'The signing secret. No other response shows it.' }),
  }),
)
export const nothing = z.null().meta({ description: 'No content.' })

export const toWebhook = (row: Webhook): z.input<typeof webhook> => ({
  webhook_id: row.webhookId,
  org_id: row.orgId,
  endpoint_url: row.endpointUrl,
  description: row.description,
  events: row.events ?? [...eventTypes],
  status: row.status,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toRegistered = (
  message: string,
  registered: RegisteredWebhook,
): z.input<typeof registeredWebhookResponse> =>
  ok(message, { ...toWebhook(registered.webhook), secret_key: registered.secret })

export const toWebhookList = (rows: readonly Webhook[]): z.input<typeof webhookList> => ({
  ...ok('Webhook endpoints, oldest first.', rows.map(toWebhook)),
  count: rows.length,
})
