import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { initiateKyb } from './initiate-kyb.ts'
import { receiveKybWebhook, type KybWebhookDeps } from './receive-kyb-webhook.ts'
import type { KybStartDeps } from './record.ts'
import * as schema from './schema.ts'
import { toApplication, toStartedKyb } from './schema.ts'

export function kybRoutes(app: App, deps: KybWebhookDeps & KybStartDeps): void {
  app.post(
    '/v1/organizations/:org_id/kyb/initiate',
    {
      bodyLimit: schema.initiateBytesLimit,
      config: {
        spec: '4.18',
        access: { permission: 'organizations:write' },
        control: 'none: the provider of verifications decides',
      },
      schema: {
        tags: ['Organisations'],
        operationId: 'kyb.initiate',
        description:
          'Answers with the `verification_url` on which the rest is completed. People and documents in the request are passed on to the provider and not stored, except for names, dates of birth and countries, which are kept encrypted and screened against sanctions lists; `submit: true` submits the application at once. The decision arrives as `kyb.approved` or `kyb.rejected`.',
        summary: 'Start the verification (KYB) of the organisation, or resubmit it after a rejection',
        params: schema.orgParams,
        body: schema.initiateKybBody,
        response: { 200: schema.initiateKybResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'Verification started. Complete it on verification_url.',
        toStartedKyb(await initiateKyb(deps, caller, toApplication(params.org_id, body))),
      ),
  )
  webhookEndpoint(app, deps)
}

/** The provider cannot send our two headers, so its signature over the raw bytes authenticates it. */
function webhookEndpoint(app: App, deps: KybWebhookDeps): void {
  app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
    scope.post(
      '/v1/organizations/webhook/kyb',
      {
        config: { spec: '4.18', access: { permission: 'public' } },
        schema: {
          tags: ['Provider webhooks'],
          operationId: 'kyb.receiveWebhook',
          description:
            'Only the verification provider calls this. The signature over the raw body authenticates it, and a repeated message changes nothing.',
          summary: 'Receive webhooks from the KYB provider, authenticated by their signature',
          security: [],
          response: { 200: schema.received, ...errors(404) },
        },
      },
      async ({ headers, body }) => {
        const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        await receiveKybWebhook(deps, { headers, rawBody })
        return { status: 'success' as const, message: 'Received.' }
      },
    )
    done()
  })
}
