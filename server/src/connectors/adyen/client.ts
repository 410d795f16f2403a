import type { HttpClient } from '../kit/http-client.ts'
import { bareEnvelope } from '../kit/replies.ts'
import { createReplyClient, jsonBody, type ReplyClient } from '../kit/reply-client.ts'
import { errorSchema } from './answers.ts'

/** Every POST has our idempotency key. */
export type AdyenClient = (path: string, ...post: [] | [body: object, key: string]) => ReturnType<ReplyClient>

export function createClient(
  http: HttpClient,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): AdyenClient {
  return createReplyClient({ http, baseUrl, headers: { 'x-api-key': apiKey }, envelopeOf }, jsonBody)
}

const envelopeOf = bareEnvelope(errorSchema, ({ errorCode }) => [errorCode])
