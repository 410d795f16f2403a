import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import { bearerTokenOf, fieldOf, type OpenCall } from '../../core/call.ts'
import type { Kit, Protocol, Route } from '../../protocol.ts'
import { payOut, queryStatus, reverse } from './commands.ts'
import { refused } from './envelope.ts'
import { createPush, queryPush } from './push.ts'
import { resultsFor } from './results.ts'
import { sandbox } from './sandbox.ts'

const TOKEN_LIFETIME_MS = 3_599_000
const tokenSchema = z.object({ consumer: z.string(), expiresAtMs: z.number() })

/** Safaricom's Daraja: phone prompts, payouts and reversals, with a result address in each request. */
export const mpesa: Protocol = {
  name: 'mpesa',
  sandbox,
  create: (kit) => {
    const tokens = kit.objects('tokens', tokenSchema)
    const now = () => kit.clock.now().getTime()
    return {
      routes: [
        {
          method: 'GET',
          path: '/mpesa/oauth/v1/generate',
          on: 'prepare',
          open: true,
          handle: (call) => {
            const consumer = consumerOf(call)
            if (consumer === undefined) return refused(400, '400.008.01', 'Invalid Authentication passed')
            const token = randomBytes(20).toString('hex')
            tokens.put(token, { consumer, expiresAtMs: now() + TOKEN_LIFETIME_MS })
            return json(200, { access_token: token, expires_in: String(TOKEN_LIFETIME_MS / 1_000) })
          },
        },
        ...commandRoutes(kit),
      ],
      serverError: refused(500, '500.003.1001', 'Internal Server Error'),
      rateLimited: refused(429, '500.003.02', 'Error Occurred: Spike Arrest Violation'),
      authenticate: (call, accounts) => {
        const token = tokens.get(bearerTokenOf(call) ?? '')
        const isAlive = token !== undefined && token.expiresAtMs > now()
        const account = accounts.find(
          ({ secrets }) =>
            isAlive && token.consumer === `${secrets['consumer_key']}:${secrets['consumer_secret']}`,
        )
        return account ?? invalidToken()
      },
      webhooksFor: resultsFor,
      signWebhook: () => ({}),
    }
  },
}

const invalidToken = (): Answer => refused(404, '404.001.03', 'Invalid Access Token')

/** Every consumer gets a token, but only a known account's token works. */
function consumerOf(call: OpenCall): string | undefined {
  const encoded = /^Basic (.+)$/i.exec(call.header('authorization') ?? '')?.[1]
  if (encoded === undefined || call.query['grant_type'] !== 'client_credentials') return undefined
  return Buffer.from(encoded, 'base64').toString('utf8')
}

function commandRoutes(kit: Kit): Route[] {
  return [
    {
      method: 'POST',
      path: '/mpesa/mpesa/stkpush/v1/processrequest',
      on: 'collect',
      reference: (call) => fieldOf(call, 'AccountReference'),
      handle: (call) => createPush(kit, call),
    },
    {
      method: 'POST',
      path: '/mpesa/mpesa/stkpushquery/v1/query',
      on: 'inquire',
      handle: (call) => queryPush(kit, call),
    },
    {
      method: 'POST',
      path: '/mpesa/mpesa/b2c/v3/paymentrequest',
      on: 'payout',
      reference: (call) => fieldOf(call, 'OriginatorConversationID'),
      handle: (call) => payOut(kit, call),
    },
    {
      method: 'POST',
      path: '/mpesa/mpesa/transactionstatus/v1/query',
      on: 'inquire',
      reference: (call) => fieldOf(call, 'OriginalConversationID'),
      handle: (call) => queryStatus(kit, call),
    },
    {
      method: 'POST',
      path: '/mpesa/mpesa/reversal/v1/request',
      on: 'refund',
      reference: (call) => fieldOf(call, 'TransactionID'),
      handle: (call) => reverse(kit, call),
    },
  ]
}
