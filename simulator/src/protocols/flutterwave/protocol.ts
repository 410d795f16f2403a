import { bearerTokenOf } from '../../core/call.ts'
import type { Protocol } from '../../protocol.ts'
import { disputes } from './chargebacks.ts'
import { refused } from './envelope.ts'
import { eventsFor } from './events.ts'
import { dashboardRefund } from './refunds.ts'
import { createRoutes } from './routes.ts'
import { sandbox } from './sandbox.ts'

/** Flutterwave v3: cards, mobile money, bank transfers, payouts across Africa. */
export const flutterwave: Protocol = {
  name: 'flutterwave',
  sandbox,
  create: (kit) => ({
    routes: createRoutes(kit),
    serverError: refused(503, 'An error occurred. Please contact support'),
    rateLimited: refused(429, 'Too many requests'),
    authenticate: (call, accounts) => {
      const key = bearerTokenOf(call)
      if (key === undefined) return refused(401, 'Authorization required')
      const account = accounts.find(({ secrets }) => secrets['secret_key'] === key)
      return account ?? refused(401, 'Invalid authorization key')
    },
    disputes,
    webhooksFor: eventsFor,
    dashboardRefund,
    // The secret is the same for every delivery and does not cover the body.
    signWebhook: ({ account }) => ({ 'verif-hash': account.secrets['secret_hash'] ?? '' }),
  }),
}
