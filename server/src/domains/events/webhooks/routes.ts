import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { getWebhook, listWebhooks } from './reads.ts'
import type { WebhookDeps } from './record.ts'
import { registerWebhook } from './register-webhook.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import * as schema from './schema.ts'
import { toRegistered, toWebhook, toWebhookList } from './schema.ts'
import { changeWebhook } from './update-webhook.ts'

export function webhookRoutes(app: App, deps: WebhookDeps): void {
  const tags = ['Webhooks']
  app.post(
    '/v1/public/webhooks',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.create',
        description:
          'The address must be public and https, on port 443 or 8443. Without `events` the endpoint gets every type, later ones included.',
        summary: 'Register a webhook endpoint; its signing secret is shown only once',
        body: schema.registerWebhookBody,
        response: { 201: schema.registeredWebhookResponse, ...errors(409) },
      },
    },
    async ({ caller, body }, reply) => {
      const registered = await registerWebhook(deps, caller, {
        endpointUrl: body.endpoint_url,
        events: body.events ?? null,
        description: body.description ?? null,
      })
      return reply.status(201).send(toRegistered('Endpoint registered. Store secret_key now.', registered))
    },
  )
  app.get(
    '/v1/public/webhooks',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'webhooks.list',
        description: 'The list is not paged.',
        summary: 'List the webhook endpoints of the organisation, without their secrets',
        response: { 200: schema.webhookList, ...errors() },
      },
    },
    async ({ caller }) => toWebhookList(await listWebhooks(deps, caller)),
  )
  app.get(
    '/v1/public/webhooks/:webhook_id',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:read' } },
      schema: {
        tags,
        operationId: 'webhooks.get',
        description: 'The secret is never shown again; rotate it if it is lost.',
        summary: 'Get a webhook endpoint',
        params: schema.webhookParams,
        response: { 200: schema.webhookResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('Endpoint.', toWebhook(await getWebhook(deps, caller, { webhookId: params.webhook_id }))),
  )
  app.patch(
    '/v1/public/webhooks/:webhook_id',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.update',
        description:
          'Only the fields that you send change. Deliveries of a paused endpoint are kept and sent when it is active again; `active` also revives an endpoint that was disabled after five days without a success.',
        summary: 'Update, pause or resume a webhook endpoint',
        params: schema.webhookParams,
        body: schema.updateWebhookBody,
        response: { 200: schema.webhookResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }) => {
      const changed = await changeWebhook(deps, caller, {
        webhookId: params.webhook_id,
        endpointUrl: body.endpoint_url,
        events: body.events,
        description: body.description,
        status: body.status,
      })
      return ok('Endpoint updated.', toWebhook(changed))
    },
  )
  app.delete(
    '/v1/public/webhooks/:webhook_id',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.delete',
        description: 'The endpoint is gone at once and its deliveries shortly after. Events stay.',
        summary: 'Delete a webhook endpoint and its deliveries',
        params: schema.webhookParams,
        response: { 204: schema.nothing, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      await removeWebhook(deps, caller, { webhookId: params.webhook_id })
      return reply.status(204).send(null)
    },
  )
  app.post(
    '/v1/public/webhooks/:webhook_id/rotate-secret',
    {
      config: { spec: '4.7', access: { permission: 'webhooks:write' } },
      schema: {
        tags,
        operationId: 'webhooks.rotateSecret',
        description:
          'For 24 hours `webhook-signature` holds a signature under each secret; `X-Service-Signature` uses the new one at once.',
        summary: 'Rotate the signing secret; both secrets sign for 24 hours',
        params: schema.webhookParams,
        response: { 200: schema.registeredWebhookResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toRegistered(
        'Secret rotated. The old one still signs for 24 hours.',
        await rotateSecret(deps, caller, { webhookId: params.webhook_id }),
      ),
  )
}
