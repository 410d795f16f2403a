import { createBearerClient, type BearerClient } from '../kit/bearer-client.ts'
import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readReply, type Reply } from '../kit/replies.ts'
import { envelopeSchema } from './answers.ts'
import type { FlutterwaveCredentials } from './credentials.ts'

export type FlutterwaveClient = (...call: Parameters<BearerClient>) => Promise<Reply>

export function createClient(credentials: FlutterwaveCredentials, http: HttpClient): FlutterwaveClient {
  const client = createBearerClient(credentials, http)
  return async (...call) => readReply(await client(...call), (body) => parseAnswer(body, envelopeSchema))
}
