import type { Account } from '../../core/accounts.ts'
import type { Answer } from '../../core/answer.ts'
import { bearerTokenOf, type OpenCall } from '../../core/call.ts'
import type { Protocol } from '../../protocol.ts'
import { openBooks } from './books.ts'
import { disputes } from './disputes.ts'
import { errorAnswer, RATE_LIMITED, SERVER_ERROR } from './errors.ts'
import { signWebhook, webhooksFor } from './events.ts'
import { dashboardRefund, isChargedBack } from './refunds.ts'
import { createRoutes } from './routes.ts'
import { sandbox } from './sandbox.ts'

/** Stripe API v1: cards (direct with 3D Secure, hosted checkout), bank transfers in, refunds, disputes. */
export const stripe: Protocol = {
  name: 'stripe',
  sandbox,
  create: (kit) => ({
    routes: createRoutes(openBooks(kit)),
    serverError: SERVER_ERROR,
    rateLimited: RATE_LIMITED,
    authenticate,
    webhooksFor: (transaction, event) => webhooksFor(kit, transaction, event),
    dashboardRefund,
    refusesRefund: (charge) => isChargedBack(kit, charge),
    signWebhook,
    disputes,
  }),
}

function authenticate(call: OpenCall, accounts: readonly Account[]): Account | Answer {
  const key = bearerTokenOf(call) ?? basicUserOf(call)
  if (key === undefined) return unauthorized('You did not provide an API key.')
  return (
    accounts.find(({ secrets }) => secrets['secret_key'] === key) ?? unauthorized('Invalid API Key provided.')
  )
}

/** The key can be the user name of basic authentication, with an empty password. */
function basicUserOf(call: OpenCall): string | undefined {
  const encoded = /^Basic (.+)$/i.exec(call.header('authorization') ?? '')?.[1]
  return encoded && Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]
}

function unauthorized(message: string): Answer {
  return errorAnswer(401, { type: 'invalid_request_error', message })
}
