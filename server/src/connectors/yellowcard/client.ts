import { createHash, createHmac } from 'node:crypto'
import type { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { HttpClient, HttpResult } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { refusalSchema } from './answers.ts'
import type { YellowcardCredentials } from './credentials.ts'

export interface RefusedReply {
  kind: 'refused'
  status: number
  code: string
  message: string
}

export type Reply<Value> =
  | { kind: 'read'; value: Value }
  | RefusedReply
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export interface YellowcardClient {
  get<Value>(path: string, schema: z.ZodType<Value>, query?: Record<string, string>): Promise<Reply<Value>>
  /** The body exactly as it is signed and sent. */
  post<Value>(path: string, schema: z.ZodType<Value>, body: string): Promise<Reply<Value>>
}

/** The signature covers time, path without query, method and body. */
export function createClient(
  { apiKey, secretKey, baseUrl }: YellowcardCredentials,
  http: HttpClient,
  clock: Clock,
): YellowcardClient {
  const headersOf = (method: string, path: string, body?: string): Record<string, string> => {
    const timestamp = clock.now().toISOString()
    const digest = body === undefined ? '' : createHash('sha256').update(body).digest('base64')
    const signature = createHmac('sha256', secretKey)
      .update(`${timestamp}${path}${method}${digest}`)
      .digest('base64')
    return {
      'x-yc-timestamp': timestamp,
      authorization: `YcHmacV1 ${apiKey}:${signature}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
  }
  return {
    async get(path, schema, query = {}) {
      const search = new URLSearchParams(query).toString()
      const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`
      return readReply(await http({ method: 'GET', url, headers: headersOf('GET', path) }), schema)
    },
    async post(path, schema, body) {
      const headers = headersOf('POST', path, body)
      return readReply(await http({ method: 'POST', url: `${baseUrl}${path}`, headers, body }), schema)
    },
  }
}

function readReply<Value>(result: HttpResult, schema: z.ZodType<Value>): Reply<Value> {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  if (status >= 200 && status < 300) {
    const value = parseAnswer(body, schema)
    if (value !== undefined) return { kind: 'read', value }
  }
  const refusal = status >= 400 && status < 500 ? parseAnswer(body, refusalSchema) : undefined
  return refusal
    ? { kind: 'refused', status, ...refusal }
    : { kind: 'unknown', reason: `unreliable answer (HTTP ${status})` }
}
