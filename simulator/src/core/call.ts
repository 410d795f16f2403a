import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Account } from './accounts.ts'
import type { Operation, TakenFault } from './faults.ts'
import { parseForm } from './form.ts'

/** A request without authentication. Authenticated routes receive a `Call`. */
export interface OpenCall {
  readonly on: Operation
  readonly method: string
  /** The raw path without the query. */
  readonly path: string
  /** The raw path and query, because some signatures cover both. */
  readonly target: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly header: (name: string) => string | undefined
  readonly rawBody: Buffer
  /** The parsed JSON or form, with nested brackets as in Stripe's API. Undefined if absent or malformed. */
  readonly payload: unknown
  /** A fault that the protocol handles itself: `decline`. */
  readonly fault: TakenFault | undefined
}

export interface Call extends OpenCall {
  readonly account: Account
}

const queryValueSchema = z.union([z.string(), z.array(z.string()).transform((values) => values[0] ?? '')])
const stringsSchema = z.record(z.string(), queryValueSchema).catch({})

export function readCall(request: FastifyRequest, on: Operation): OpenCall {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return {
    on,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    target: request.url,
    params: stringsSchema.parse(request.params),
    query: stringsSchema.parse(request.query),
    header: (name) => {
      const value = request.headers[name.toLowerCase()]
      return Array.isArray(value) ? value.join(', ') : value
    },
    rawBody,
    payload: parsePayload(request.headers['content-type'] ?? '', rawBody),
    fault: undefined,
  }
}

/** A top-level text field of the payload. */
export function fieldOf(call: OpenCall, name: string): string | undefined {
  if (typeof call.payload !== 'object' || call.payload === null) return undefined
  const value: unknown = Reflect.get(call.payload, name)
  return typeof value === 'string' ? value : undefined
}

export function bearerTokenOf(call: OpenCall): string | undefined {
  return /^Bearer (.+)$/i.exec(call.header('authorization') ?? '')?.[1]
}

function parsePayload(contentType: string, rawBody: Buffer): unknown {
  if (rawBody.length === 0) return undefined
  const text = rawBody.toString('utf8')
  if (contentType.startsWith('application/x-www-form-urlencoded')) return parseForm(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
