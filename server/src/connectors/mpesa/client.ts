import { createHash } from 'node:crypto'
import { boundedMap } from '../../lib/limits.ts'
import type { ConnectorContext } from '../kit/connector.ts'
import type { HttpResult } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { errorSchema, tokenSchema } from './answers.ts'
import type { MpesaCredentials } from './credentials.ts'

const accountsLimit = 1_000
const marginMs = 60_000
const invalidToken = '404.001.03'

export type Reply =
  | { kind: 'answered'; status: number; body: string }
  | { kind: 'refused'; status: number; code: string; message: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export type MpesaClient = (path: string, body: object) => Promise<Reply>

type Token = { kind: 'token'; value: string; untilMs: number } | Exclude<Reply, { kind: 'answered' }>

/** For the whole process: connectors live for seconds, tokens for an hour. Calls at once share one request. */
const tokens = boundedMap<string, Promise<Token>>(accountsLimit)

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
    // Turned away at the gate, with nothing done: once more with a new token is safe.
    if (reply.kind !== 'refused' || reply.code !== invalidToken) return reply
    const renewed = await tokenFor(context, token.value)
    return renewed.kind === 'token' ? post(renewed.value, path, body) : renewed
  }
}

async function tokenFor(context: ConnectorContext<MpesaCredentials>, refused?: string): Promise<Token> {
  const { baseUrl, consumerKey, consumerSecret } = context.credentials
  const key = createHash('sha256').update([baseUrl, consumerKey, consumerSecret].join('\n')).digest('hex')
  const known = await tokens.get(key)
  const isUsable =
    known?.kind === 'token' && known.value !== refused && known.untilMs > context.clock.now().getTime()
  if (isUsable) return known
  const fetched = fetchToken(context)
  tokens.set(key, fetched)
  const token = await fetched
  if (token.kind !== 'token') tokens.delete(key)
  return token
}

/** Whatever goes wrong here, the payment itself has not been sent. */
async function fetchToken({ credentials, http, clock }: ConnectorContext<MpesaCredentials>): Promise<Token> {
  const { baseUrl, consumerKey, consumerSecret } = credentials
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  const url = `${baseUrl}/oauth/v1/generate?grant_type=client_credentials`
  const reply = readReply(await http({ method: 'GET', url, headers: { authorization: `Basic ${basic}` } }))
  if (reply.kind === 'refused' && reply.status < 500) return reply
  const answer = reply.kind === 'answered' ? parseAnswer(reply.body, tokenSchema) : undefined
  if (!answer) return { kind: 'not_sent', reason: 'there is no access token' }
  const untilMs = clock.now().getTime() + answer.expires_in * 1_000 - marginMs
  return { kind: 'token', value: answer.access_token, untilMs }
}

function readReply(result: HttpResult): Reply {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  if (status === 200) return { kind: 'answered', status, body }
  const error = parseAnswer(body, errorSchema)
  if (!error) return { kind: 'unknown', reason: `HTTP ${status}` }
  return { kind: 'refused', status, code: error.errorCode, message: error.errorMessage }
}
