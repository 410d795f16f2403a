import { createTokenCache, type AccessToken } from '../kit/access-token.ts'
import type { ConnectorContext } from '../kit/connector.ts'
import type { HttpResult } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { errorSchema, tokenSchema } from './answers.ts'
import type { MpesaCredentials } from './credentials.ts'

export const invalidToken = '404.001.03'
export type Reply =
  | { kind: 'answered'; status: number; body: string }
  | { kind: 'refused'; status: number; code: string; message: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export type MpesaClient = (path: string, body: object) => Promise<Reply>

type NoToken = Exclude<Reply, { kind: 'answered' }>
const tokenOf = createTokenCache<NoToken>()

export function createClient(context: ConnectorContext<MpesaCredentials>): MpesaClient {
  const { baseUrl } = context.credentials
  const post = async (token: string, path: string, body: object): Promise<Reply> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return readReply(
      await context.http({ method: 'POST', url: `${baseUrl}${path}`, headers, body: JSON.stringify(body) }),
    )
  }
  return async (path, body) => {
    const token = await tokenFor(context)
    if (token.kind !== 'token') return token
    const reply = await post(token.value, path, body)
    // The gateway rejected the token and did nothing else, so one retry with a new token is safe.
    if (reply.kind !== 'refused' || reply.code !== invalidToken) return reply
    const renewed = await tokenFor(context, token.value)
    return renewed.kind === 'token' ? post(renewed.value, path, body) : renewed
  }
}

function tokenFor(context: ConnectorContext<MpesaCredentials>, refused?: string) {
  const { baseUrl, consumerKey, consumerSecret } = context.credentials
  const account = [baseUrl, consumerKey, consumerSecret]
  const nowMs = context.clock.now().getTime()
  return tokenOf({ account, nowMs, fetch: () => fetchToken(context), refused })
}

/** No error in here can mean that the payment was sent. */
async function fetchToken({
  credentials,
  http,
}: ConnectorContext<MpesaCredentials>): Promise<AccessToken | NoToken> {
  const { baseUrl, consumerKey, consumerSecret } = credentials
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  const url = `${baseUrl}/oauth/v1/generate?grant_type=client_credentials`
  const reply = readReply(await http({ method: 'GET', url, headers: { authorization: `Basic ${basic}` } }))
  if (reply.kind === 'refused' && reply.status < 500) return reply
  const answer = reply.kind === 'answered' ? parseAnswer(reply.body, tokenSchema) : undefined
  if (!answer) return { kind: 'not_sent', reason: 'no access token could be obtained' }
  return { kind: 'token', value: answer.access_token, lifetimeMs: answer.expires_in * 1_000 }
}

function readReply(result: HttpResult): Reply {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  if (status === 200) return { kind: 'answered', status, body }
  const error = parseAnswer(body, errorSchema)
  if (!error) return { kind: 'unknown', reason: `HTTP ${status}` }
  return { kind: 'refused', status, code: error.errorCode, message: error.errorMessage }
}
