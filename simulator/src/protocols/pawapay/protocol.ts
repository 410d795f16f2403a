import { json } from '../../core/answer.ts'
import { bearerTokenOf } from '../../core/call.ts'
import type { Kit, Protocol } from '../../protocol.ts'
import { failureAnswer } from './failures.ts'
import { callbacksFor } from './present.ts'
import { dashboardRefund } from './refunds.ts'
import { createRoutes } from './routes.ts'
import { sandbox } from './sandbox.ts'
import { createSigningKey, KEY_ID, signingKeySchema, signMessage, type SigningKey } from './signatures.ts'

/** pawaPay Merchant API v2: mobile money in and out. */
export const pawapay: Protocol = {
  name: 'pawapay',
  sandbox,
  create: (kit) => {
    const key = storedSigningKey(kit)
    const forgersKey = createSigningKey()
    return {
      routes: createRoutes(kit, key),
      serverError: failureAnswer(500, 'UNKNOWN_ERROR'),
      rateLimited: json(429, { message: 'Too many requests' }, { 'retry-after': '1' }),
      authenticate: (call, accounts) => {
        const token = bearerTokenOf(call)
        if (token === undefined) return failureAnswer(401, 'NO_AUTHENTICATION')
        const account = accounts.find((candidate) => candidate.secrets['api_token'] === token)
        return account ?? failureAnswer(403, 'AUTHENTICATION_ERROR')
      },
      webhooksFor: callbacksFor,
      dashboardRefund,
      signWebhook: ({ account, url, body, contentType, at, forged }) => {
        if (account.options['signed_callbacks'] === false) return {}
        const message = { method: 'POST', authority: url.host, path: url.pathname, contentType, body }
        return signMessage(message, forged ? forgersKey : key, at)
      },
    }
  },
}

/** The key survives a restart, because clients cache the public key for a day. */
function storedSigningKey(kit: Kit): SigningKey {
  const keys = kit.objects('keys', signingKeySchema)
  const key = keys.get(KEY_ID) ?? createSigningKey()
  keys.put(KEY_ID, key)
  return key
}
