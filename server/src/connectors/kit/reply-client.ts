import { encodeForm, type Form } from './form-body.ts'
import type { HttpClient } from './http-client.ts'
import { readReply, type Envelope, type Reply } from './replies.ts'

/** Sends a POST (or PUT) if there is a body, otherwise a GET. The key is the idempotency key. */
export type ReplyClient<Body = object> = (
  path: string,
  body?: Body,
  key?: string,
  method?: 'POST' | 'PUT',
) => Promise<Reply>

interface BodyKind<Body> {
  type: string
  encode: (body: Body) => string
}
export const jsonBody: BodyKind<object> = { type: 'application/json', encode: (body) => JSON.stringify(body) }
export const formBody: BodyKind<Form> = { type: 'application/x-www-form-urlencoded', encode: encodeForm }

interface Provider {
  http: HttpClient
  baseUrl: string
  headers: Record<string, string>
  envelopeOf: (body: string) => Envelope | undefined
}

export function createReplyClient<Body>(
  { http, baseUrl, headers, envelopeOf }: Provider,
  { type, encode }: BodyKind<Body>,
): ReplyClient<Body> {
  return async (path, body, key, method = 'POST') => {
    const url = `${baseUrl}${path}`
    if (body === undefined) return readReply(await http({ method: 'GET', url, headers }), envelopeOf)
    const keyed = { ...headers, ...(key !== undefined && { 'idempotency-key': key }) }
    const sent = { ...keyed, 'content-type': type }
    return readReply(await http({ method, url, headers: sent, body: encode(body) }), envelopeOf)
  }
}

export const bearer = (secretKey: string) => ({ authorization: `Bearer ${secretKey}` })
