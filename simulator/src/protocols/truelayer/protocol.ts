import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Account } from '../../core/accounts.ts'
import { json, type Answer } from '../../core/answer.ts'
import { bearerTokenOf, type OpenCall } from '../../core/call.ts'
import type { Kit, Protocol, Route } from '../../protocol.ts'
import { webhooksFor } from './events.ts'
import { cancelPayment, createPayment, hostedPage, showPayment } from './payments.ts'
import {
  createPayout,
  createRefund,
  dashboardRefund,
  listRefunds,
  listTransactions,
  showPayout,
  showRefund,
} from './payouts.ts'
import { sandbox } from './sandbox.ts'
import { isSignedRequest, openWebhookKey } from './signatures.ts'
import { idempotencyKeyOf, problem } from './wire.ts'

const TOKEN_PATH = '/truelayer/connect/token'
const TOKEN_LIFETIME_MS = 3_600_000
const tokenSchema = z.object({ account: z.string(), expiresAtMs: z.number() })
const grantSchema = z.looseObject({
  grant_type: z.literal('client_credentials'),
  client_id: z.string(),
  client_secret: z.string(),
})

/** Payments API v3: bank payments in on a hosted page, payouts and refunds from a merchant account. */
export const truelayer: Protocol = {
  name: 'truelayer',
  sandbox,
  create: (kit) => {
    const tokens = kit.objects('tokens', tokenSchema)
    const webhookKey = openWebhookKey(kit)
    const nowMs = () => kit.clock.now().getTime()
    return {
      dashboardRefund,
      routes: [
        {
          method: 'POST',
          path: TOKEN_PATH,
          on: 'prepare',
          handle: (call) => {
            const token = randomBytes(32).toString('base64url')
            tokens.put(token, { account: call.account.name, expiresAtMs: nowMs() + TOKEN_LIFETIME_MS })
            const expires_in = TOKEN_LIFETIME_MS / 1_000
            return json(200, { access_token: token, expires_in, token_type: 'Bearer', scope: 'payments' })
          },
        },
        {
          method: 'GET',
          path: '/truelayer/.well-known/jwks',
          on: 'list',
          open: true,
          handle: () => json(200, webhookKey.jwks()),
        },
        ...paymentRoutes(kit),
        ...payoutRoutes(kit),
      ],
      serverError: problem(500, 'Internal Server Error'),
      rateLimited: problem(429, 'Rate Limit Exceeded'),
      authenticate: (call, accounts) => {
        if (call.path === TOKEN_PATH) return clientOf(call, accounts)
        const token = tokens.get(bearerTokenOf(call) ?? '')
        const isAlive = token !== undefined && token.expiresAtMs > nowMs()
        const account = accounts.find(({ name }) => isAlive && name === token.account)
        return account && isSigned(call, account) ? account : problem(401, 'Unauthenticated')
      },
      webhooksFor,
      signWebhook: webhookKey.sign,
    }
  },
}

function clientOf(call: OpenCall, accounts: readonly Account[]): Account | Answer {
  const grant = grantSchema.safeParse(call.payload).data
  const account = accounts.find(
    ({ secrets }) =>
      secrets['client_id'] === grant?.client_id && secrets['client_secret'] === grant?.client_secret,
  )
  return account ?? json(400, { error: 'invalid_client' })
}

/** Every POST must be signed. */
const isSigned = (call: OpenCall, { secrets, options }: Account): boolean =>
  call.method !== 'POST' ||
  isSignedRequest(call, options['request_key_id'], secrets['request_public_key'] ?? '')

function paymentRoutes(kit: Kit): Route[] {
  const pages = (['GET', 'POST'] as const).map((method): Route => ({
    method,
    path: '/truelayer/pay/:account/:id',
    on: 'page',
    open: true,
    handle: (call) => hostedPage(kit, call),
  }))
  return [
    ...pages,
    {
      method: 'POST',
      path: '/truelayer/v3/payments',
      on: 'collect',
      reference: idempotencyKeyOf,
      handle: (call) => createPayment(kit, call),
    },
    {
      method: 'GET',
      path: '/truelayer/v3/payments/:id',
      on: 'inquire',
      handle: (call) => showPayment(kit, call),
    },
    {
      method: 'POST',
      path: '/truelayer/v3/payments/:id/actions/cancel',
      on: 'cancel',
      handle: (call) => cancelPayment(kit, call),
    },
    {
      method: 'POST',
      path: '/truelayer/v3/payments/:id/refunds',
      on: 'refund',
      reference: idempotencyKeyOf,
      handle: (call) => createRefund(kit, call),
    },
    {
      method: 'GET',
      path: '/truelayer/v3/payments/:id/refunds',
      on: 'inquire',
      handle: (call) => listRefunds(kit, call),
    },
    {
      method: 'GET',
      path: '/truelayer/v3/payments/:id/refunds/:refundId',
      on: 'inquire',
      handle: (call) => showRefund(kit, call),
    },
  ]
}

function payoutRoutes(kit: Kit): Route[] {
  return [
    {
      method: 'POST',
      path: '/truelayer/v3/payouts',
      on: 'payout',
      reference: idempotencyKeyOf,
      handle: (call) => createPayout(kit, call),
    },
    {
      method: 'GET',
      path: '/truelayer/v3/payouts/:id',
      on: 'inquire',
      handle: (call) => showPayout(kit, call),
    },
    {
      method: 'GET',
      path: '/truelayer/v3/merchant-accounts/:id/transactions',
      on: 'list',
      handle: (call) => listTransactions(kit, call),
    },
  ]
}
