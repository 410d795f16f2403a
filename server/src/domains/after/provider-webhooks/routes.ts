import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { receiveWebhook } from './receive-webhook.ts'
import type { WebhookDeps } from './record.ts'
import { received, webhookParams } from './schema.ts'

/** Providers cannot send our two headers, so their signature authenticates them, or the token and an inquiry do. */
export function providerWebhookRoutes(app: App, deps: WebhookDeps): void {
  app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
    scope.post(
      '/v1/providers/:provider/webhooks/:token',
      {
        config: { access: { permission: 'public' } },
        schema: {
          tags: ['Provider webhooks'],
          operationId: 'providerWebhooks.receive',
          description:
            'Only providers call this. The message is authenticated by its signature over the raw bytes; where a provider signs nothing, a message only makes us ask the provider. It is processed in the background, and a repeat changes nothing.',
          summary: 'Receive webhooks from providers, authenticated by their signature',
          security: [],
          params: webhookParams,
          response: { 200: received, ...errors(404) },
        },
      },
      async (request) => {
        const origin = `${request.protocol}://${request.host}`
        await receiveWebhook(deps, {
          provider: request.params.provider,
          token: request.params.token,
          request: {
            headers: request.headers,
            rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
            method: request.method,
            origin,
            target: request.url,
          },
        })
        return { status: 'success' as const, message: 'Received.' }
      },
    )
    scope.head(
      '/v1/providers/:provider/webhooks/:token',
      {
        schema: {
          tags: ['Provider webhooks'],
          operationId: 'providerWebhooks.probe',
          description: 'Some providers check an address before they accept it. It changes nothing.',
          summary: 'Answer providers that check the webhook address before they use it',
          security: [],
          params: webhookParams,
          response: { 200: received, ...errors() },
        },
        config: { access: { permission: 'public' }, swagger: { exposeHeadRoute: true } },
      },
      async () => ({ status: 'success' as const, message: 'Received.' }),
    )
    done()
  })
}
