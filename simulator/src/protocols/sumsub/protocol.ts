import type { Protocol } from '../../protocol.ts'
import { openState } from './applicants.ts'
import { createRoutes } from './routes.ts'
import { sandbox } from './sandbox.ts'
import { authenticate, failure, signWebhook } from './signatures.ts'

/** Sumsub: verification of businesses. No money moves here, so it has no transactions. */
export const sumsub: Protocol = {
  name: 'sumsub',
  sandbox,
  create: (kit) => ({
    routes: createRoutes(openState(kit)),
    serverError: failure(500, 'Internal error'),
    rateLimited: failure(429, 'Too many requests'),
    authenticate: (call, accounts) => authenticate(call, accounts, kit.clock.now()),
    webhooksFor: () => [],
    signWebhook,
  }),
}
