import { createHmac } from 'node:crypto'
import { json } from '../../core/answer.ts'
import { bearerTokenOf } from '../../core/call.ts'
import type { Protocol } from '../../protocol.ts'
import { disputesOf } from './disputes.ts'
import { refused } from './envelope.ts'
import { eventsFor } from './events.ts'
import { dashboardRefund } from './refunds.ts'
import { createRoutes } from './routes.ts'
import { sandbox } from './sandbox.ts'
import { openState } from './state.ts'

/** Paystack: cards on a hosted page, mobile money, bank transfers, payouts. */
export const paystack: Protocol = {
  name: 'paystack',
  sandbox,
  create: (kit) => {
    const state = openState(kit)
    return {
      routes: createRoutes(state),
      serverError: refused(500, { message: 'An error occurred', code: 'unknown', type: 'api_error' }),
      rateLimited: json(429, { status: false, message: 'Too many requests' }, { 'retry-after': '1' }),
      authenticate: (call, accounts) => {
        const key = bearerTokenOf(call)
        if (key === undefined) {
          return refused(401, { message: 'No Authorization Header was found', code: 'missing_key' })
        }
        const account = accounts.find((candidate) => candidate.secrets['secret_key'] === key)
        return account ?? refused(401, { message: 'Invalid key', code: 'invalid_Key' })
      },
      disputes: disputesOf(state),
      webhooksFor: (transaction, event) => eventsFor(state, transaction, event),
      dashboardRefund: dashboardRefund(state),
      signWebhook: ({ account, body }) => ({
        'x-paystack-signature': createHmac('sha512', account.secrets['secret_key'] ?? '')
          .update(body)
          .digest('hex'),
      }),
    }
  },
}
