import type { Protocol } from '../../protocol.ts'
import { openState } from './applicants.ts'
import { createRoutes } from './routes.ts'
import { authenticate, failure, signWebhook } from './signatures.ts'

/** Sumsub: verification of businesses. No money moves here, so it has no transactions. */
export const sumsub: Protocol = {
  name: 'sumsub',
  defaultAccount: {
    secrets: {
      app_token: 'sbx:switchyard-sandbox-token',
      secret_key: 'switchyard-sandbox-secret',
      webhook_secret: 'switchyard-sandbox-webhook',
    },
  },
  create: (kit) => ({
    routes: createRoutes(openState(kit)),
    serverError: failure(500, 'Internal error'),
    rateLimited: failure(429, 'Too many requests'),
    authenticate: (call, accounts) => authenticate(call, accounts, kit.clock.now()),
    webhooksFor: () => [],
    signWebhook,
  }),
}
