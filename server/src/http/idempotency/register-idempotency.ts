import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { beginCall, type IdempotencyDeps } from './begin-call.ts'
import { finishCall } from './finish-call.ts'
import { hmac } from '../../lib/crypto.ts'
import { validationError } from '../../lib/errors.ts'
import { initiationError, standardError } from '../../lib/wire.ts'
import type { App } from '../app.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/
const claimedKeys = new WeakMap<FastifyRequest, string>()

/** Accepts an optional Idempotency-Key on every POST; the same key and body replay the first response for 24 hours. */
export function registerIdempotency(app: App, deps: IdempotencyDeps): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'POST' && route.schema) route.schema.response = withConflict(route)
  })
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    if (key === undefined || request.method !== 'POST' || !request.isAuthenticated) return
    if (typeof key !== 'string' || !keyPattern.test(key))
      throw validationError('Idempotency-Key must be 1 to 255 visible ASCII characters.')
    const recorded = await beginCall(deps, request.caller, { key, requestHash: hashOf(deps, request) })
    if (!recorded) {
      claimedKeys.set(request, key)
      return
    }
    await replay(reply, recorded)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const key = claimedKeys.get(request)
    if (key === undefined || typeof payload !== 'string') return
    claimedKeys.delete(request)
    // A response that cannot be stored is still sent; a retry then fails, because the first call looks unfinished.
    await finishCall(deps, request.caller, { key, status: reply.statusCode, body: payload }).catch(
      (error: unknown) => request.log.error({ err: error }, 'storing the idempotent response failed'),
    )
  })
}

/** Documents that any POST may fail with 409 because its Idempotency-Key is in use. */
const withConflict = ({ url, schema }: RouteOptions): Record<string, unknown> => ({
  409: url.startsWith('/v1/payments-init/') ? initiationError : standardError,
  ...(schema?.response as Record<string, unknown> | undefined), // a map of statuses, by Fastify's definition
})

/**
 * An HMAC, because a body may contain a card number, whose plain hash can be guessed. It covers the caller's
 * permissions, because another member or a narrower key must not see a secret in the response.
 */
function hashOf(deps: IdempotencyDeps, request: FastifyRequest): Buffer {
  const { userId, permissions } = request.caller
  const parts = [request.method, request.url, userId, [...permissions].sort(), request.rawBody ?? '']
  return hmac(deps.idempotencyKey, JSON.stringify(parts))
}

const replay = (reply: FastifyReply, recorded: { status: number; body: string }): FastifyReply =>
  reply
    .status(recorded.status)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((body: string) => body)
    .send(recorded.body)
