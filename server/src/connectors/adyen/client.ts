import type { HttpClient } from '../kit/http-client.ts'
import { bareEnvelope, readReply, type Reply } from '../kit/replies.ts'
import { errorSchema } from './answers.ts'

/** With a body it is a POST under our idempotency key. */
export type AdyenClient = (path: string, request?: { body: object; key: string }) => Promise<Reply>

export function createClient(
  http: HttpClient,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): AdyenClient {
  return async (path, request) => {
    const url = `${baseUrl}${path}`
    const headers = { 'x-api-key': apiKey }
    if (!request) return readReply(await http({ method: 'GET', url, headers }), envelopeOf)
    const { body, key } = request
    const sent = { ...headers, 'content-type': 'application/json', 'idempotency-key': key }
    const result = await http({ method: 'POST', url, headers: sent, body: JSON.stringify(body) })
    return readReply(result, envelopeOf)
  }
}

const envelopeOf = bareEnvelope(errorSchema, ({ errorCode }) => [errorCode])
