import type { z } from 'zod'
import type { ConnectorContext, Outcome } from '../kit/connector.ts'
import type { HttpResult } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import {
  objectSchema,
  pageSchema,
  refusalSchema,
  type StripeError,
  type StripeObject,
  type StripePage,
} from './answers.ts'
import type { StripeCredentials } from './credentials.ts'
import { refusedOutcome, see, type Seen } from './mapping.ts'

export type Form = Readonly<Record<string, string | number | bigint | undefined>>

export type NoAnswer =
  { kind: 'refused'; status: number; error: StripeError } | { kind: 'not_sent' | 'unknown'; reason: string }
export type Answer<Body> = { kind: 'ok'; body: Body } | NoAnswer

export interface StripeClient {
  get(path: string, query?: Form): Promise<Answer<Seen>>
  list(path: string, query: Form): Promise<Answer<{ items: Seen[]; hasMore: boolean }>>
  /** Without a key only what may be carried out twice. */
  post(path: string, form: Form, idempotencyKey?: string): Promise<Answer<Seen>>
}

export function createClient(context: ConnectorContext<StripeCredentials>): StripeClient {
  const { http, credentials, clock } = context
  const headers = {
    authorization: `Bearer ${credentials.secretKey}`,
    'stripe-version': credentials.apiVersion,
  }
  const get = (path: string, query: Form): Promise<HttpResult> => {
    const url = `${credentials.baseUrl}${path}?${encodeForm(query)}`
    return http({ method: 'GET', url: url.replace(/\?$/, ''), headers })
  }
  const post = (path: string, form: Form, idempotencyKey: string | undefined): Promise<HttpResult> =>
    http({
      method: 'POST',
      url: `${credentials.baseUrl}${path}`,
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: encodeForm(form),
    })
  const seen = (object: StripeObject): Seen => see(object, clock.now())
  const seenPage = ({ data, has_more: hasMore }: StripePage) => ({ items: data.map(seen), hasMore })
  return {
    get: async (path, query = {}) => read(await get(path, query), objectSchema, seen),
    post: async (path, form, key) => read(await post(path, form, key), objectSchema, seen),
    list: async (path, query) => read(await get(path, query), pageSchema, seenPage),
  }
}

/** What an answer other than the hoped-for one means for a call that moves money. */
export const outcomeOf = (answer: NoAnswer): Outcome =>
  answer.kind === 'refused' ? refusedOutcome(answer.status, answer.error) : answer

/** Never the provider's own text: it may quote what we sent. */
export const reasonOf = (answer: NoAnswer): string =>
  answer.kind === 'refused' ? `HTTP ${answer.status} ${answer.error.type}` : answer.reason

function encodeForm(form: Form): string {
  const encoded = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) encoded.set(name, String(value))
  return encoded.toString()
}

function read<Body, Read>(
  result: HttpResult,
  schema: z.ZodType<Body>,
  convert: (body: Body) => Read,
): Answer<Read> {
  if (result.kind !== 'answered') return result
  const { status } = result
  const body = status === 200 ? parseAnswer(result.body, schema) : undefined
  if (body !== undefined) return { kind: 'ok', body: convert(body) }
  const refusal = status >= 400 ? parseAnswer(result.body, refusalSchema) : undefined
  if (refusal !== undefined) return { kind: 'refused', status, error: refusal.error }
  return { kind: 'unknown', reason: `HTTP ${status}, unreadable` }
}
