import { createTokenCache, type AccessToken } from '../kit/access-token.ts'
import type { ConnectorContext } from '../kit/connector.ts'
import type { HttpResult } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { bareEnvelope, readReply, type RefusedReply, type Reply } from '../kit/replies.ts'
import { problemSchema, refusedTokenSchema, tokenSchema } from './answers.ts'
import type { TruelayerCredentials } from './credentials.ts'
import { signRequest } from './signature.ts'

/** Sends a signed POST if there is an idempotency key, otherwise a GET. */
export type TruelayerClient = (path: string, request?: { key: string; body?: object }) => Promise<Reply>

type NoToken = RefusedReply | { kind: 'not_sent'; reason: string }
const tokenOf = createTokenCache<NoToken>()

export function createClient(context: ConnectorContext<TruelayerCredentials>): TruelayerClient {
  const { credentials, clock } = context
  const { authUrl, clientId, clientSecret } = credentials
  const account = [authUrl, clientId, clientSecret]
  const token = (refused?: string) =>
    tokenOf({ account, nowMs: clock.now().getTime(), fetch: () => fetchToken(context), refused })
  return async (path, request) => {
    const first = await token()
    if (first.kind !== 'token') return first
    const reply = readReply(await call(context, first.value, path, request), envelopeOf)
    // The gateway rejected the token and did nothing else, so one retry with a new token is safe.
    if (reply.kind !== 'refused' || reply.status !== 401) return reply
    const second = await token(first.value)
    if (second.kind !== 'token') return second
    return readReply(await call(context, second.value, path, request), envelopeOf)
  }
}

function call(
  { http, credentials }: ConnectorContext<TruelayerCredentials>,
  token: string,
  path: string,
  request: { key: string; body?: object } | undefined,
): Promise<HttpResult> {
  const url = `${credentials.baseUrl}${path}`
  const authorization = `Bearer ${token}`
  if (!request) return http({ method: 'GET', url, headers: { authorization } })
  const body = JSON.stringify(request.body ?? {})
  const signedHeaders = [['Idempotency-Key', request.key]] as const
  const signed = { method: 'POST', path: new URL(url).pathname, headers: signedHeaders, body }
  const signature = signRequest(signed, { id: credentials.signingKeyId, pem: credentials.signingKey })
  const headers = { authorization, 'idempotency-key': request.key, 'tl-signature': signature }
  return http({ method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, body })
}

/** No error in here can mean that the payment was sent. */
async function fetchToken(context: ConnectorContext<TruelayerCredentials>): Promise<AccessToken | NoToken> {
  const { authUrl, clientId: client_id, clientSecret: client_secret } = context.credentials
  const body = { grant_type: 'client_credentials', client_id, client_secret, scope: 'payments' }
  const headers = { 'content-type': 'application/json' }
  const url = `${authUrl}/connect/token`
  const result = await context.http({ method: 'POST', url, headers, body: JSON.stringify(body) })
  if (result.kind !== 'answered') return { kind: 'not_sent', reason: 'no access token could be obtained' }
  const { status } = result
  const isRefused = [400, 401, 403].includes(status) && parseAnswer(result.body, refusedTokenSchema)
  if (isRefused) return { kind: 'refused', status: 401, words: [], data: null }
  const token = status === 200 ? parseAnswer(result.body, tokenSchema) : undefined
  if (!token) return { kind: 'not_sent', reason: 'no access token could be obtained' }
  return { kind: 'token', value: token.access_token, lifetimeMs: token.expires_in * 1_000 }
}

const envelopeOf = bareEnvelope(problemSchema, ({ title, errors }) => [title, ...Object.keys(errors ?? {})])
