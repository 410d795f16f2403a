import { z } from 'zod'
import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readReply, type Envelope, type Reply } from '../kit/replies.ts'
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

/** There is none: an error is what carries an `errorCode`. */
function envelopeOf(body: string): Envelope | undefined {
  const error = parseAnswer(body, errorSchema)
  if (error) return { isSuccess: false, words: [error.errorCode], data: null, meta: null }
  const data = parseAnswer(body, z.looseObject({}))
  return data && { isSuccess: true, words: [], data, meta: null }
}
