import { createHmac } from 'node:crypto'
import type { Account } from '../../core/accounts.ts'
import { json, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import type { UnsignedWebhook } from '../../protocol.ts'

const BASE = '/sumsub'
const TIMESTAMP_TOLERANCE_S = 60

export const failure = (status: number, description: string): Answer =>
  json(status, { code: status, correlationId: 'sandbox', description })

/** `X-App-Access-Sig` is HMAC-SHA256 over timestamp, method, path with query, and body. */
export function authenticate(call: OpenCall, accounts: readonly Account[], now: Date): Account | Answer {
  const account = accounts.find((one) => one.secrets['app_token'] === call.header('x-app-token'))
  if (account === undefined) return failure(401, 'Invalid app token')
  const timestamp = call.header('x-app-access-ts') ?? ''
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TIMESTAMP_TOLERANCE_S)
    return failure(401, 'Request timestamp is out of range')
  const signed = createHmac('sha256', account.secrets['secret_key'] ?? '')
    .update(timestamp + call.method.toUpperCase() + call.target.slice(BASE.length))
    .update(call.rawBody)
    .digest('hex')
  return signed === call.header('x-app-access-sig') ? account : failure(401, 'Request signature mismatch')
}

const ALGORITHMS = { HMAC_SHA256_HEX: 'sha256', HMAC_SHA512_HEX: 'sha512', HMAC_SHA1_HEX: 'sha1' } as const

/** The account's option `digest_alg` selects the algorithm, as Sumsub's webhook manager does. */
export function signWebhook({ account, body }: UnsignedWebhook): Record<string, string> {
  const wanted = account.options['digest_alg']
  const name = wanted === 'HMAC_SHA512_HEX' || wanted === 'HMAC_SHA1_HEX' ? wanted : 'HMAC_SHA256_HEX'
  const digest = createHmac(ALGORITHMS[name], account.secrets['webhook_secret'] ?? '').update(body)
  return { 'x-payload-digest-alg': name, 'x-payload-digest': digest.digest('hex') }
}
