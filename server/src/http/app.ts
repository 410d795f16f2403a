import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Caller } from '../lib/access.ts'

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
    /** Who calls. Reading it on a public route is a defect and throws. */
    caller: Caller
    /** Kept only where an Idempotency-Key asks for its hash. */
    rawBody: string | undefined
  }
  interface FastifyContextConfig {
    /** The section of the API specification that the route serves. */
    spec?: string
    /** The route takes the body of an HTML form. */
    takesForm?: boolean
  }
}
