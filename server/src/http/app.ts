import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Caller } from '../lib/requests/access.ts'
import type { Access } from './auth/access.ts'
import type { Control } from './auth/control.ts'
import type { KeyedCall } from './idempotency/begin-once.ts'

/** A Fastify instance whose routes take their types from Zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    isAuthenticated: boolean
    /** The authenticated caller. Reading it on a public route throws, because that is a defect. */
    caller: Caller
    /** What `caller` returns. */
    knownCaller: Caller | undefined
    /** The code of the error that it was answered with. */
    errorCode: string | undefined
    /** The answer shows personal data that callers without `personal-data:read` do not see. */
    hasPersonalData: boolean
    /** Set only when the request has an Idempotency-Key, because its hash covers the body. */
    rawBody: string | undefined
    /** Set when a route that binds its key is called with an Idempotency-Key. */
    keyedCall: KeyedCall | undefined
  }
  interface FastifyContextConfig {
    /** Every route declares it, or the server does not start. */
    access?: Access
    /** Every route that could be used to steal declares who else has to agree, or the server does not start. */
    control?: Control
    /** The section of the API specification that the route serves. */
    spec?: string
    /** The route accepts the body of an HTML form. */
    takesForm?: boolean
    /** The paths in the body that may hold a card number; everywhere else one is refused. */
    cardFields?: readonly string[]
    /** The route accepts a CSV file of at most so many rows, which becomes the body `{rows}`. */
    takesCsv?: number
    /** What the request costs as a multiple of an ordinary one, from its body before that is validated. */
    cost?: (body: unknown) => number
    /** The route begins a resource by `beginOnce`, which claims the Idempotency-Key in the resource's transaction. */
    bindsKey?: boolean
  }
}
