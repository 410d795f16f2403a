import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import type { Envelope } from '../kit/replies.ts'
import { bearer, createReplyClient, jsonBody, type ReplyClient } from '../kit/reply-client.ts'
import { envelopeSchema } from './answers.ts'
import type { FlutterwaveCredentials } from './credentials.ts'

export type FlutterwaveClient = ReplyClient

export function createClient(credentials: FlutterwaveCredentials, http: HttpClient): FlutterwaveClient {
  const { secretKey, baseUrl } = credentials
  return createReplyClient({ http, baseUrl, headers: bearer(secretKey), envelopeOf }, jsonBody)
}

const envelopeOf = (body: string): Envelope | undefined => parseAnswer(body, envelopeSchema)
