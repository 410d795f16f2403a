import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { beginCall, type IdempotencyDeps } from './begin-call.ts'
import { finishCall } from './finish-call.ts'
import { hmac } from '../../lib/crypto.ts'
import { validationError } from '../../lib/errors.ts'
import { initiationError, standardError } from '../../lib/wire.ts'
import type { App } from '../app.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/
const claimedKeys = new WeakMap<FastifyRequest, string>()

/** An optional Idempotency-Key on every POST: the same key and body replay the first answer for 24 hours. */
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
    // An answer that cannot be kept is still sent: a repeat then hears that the first call has not finished.
    await finishCall(deps, request.caller, { key, status: reply.statusCode, body: payload }).catch(
      (error: unknown) => request.log.error({ err: error }, 'an idempotent answer was not kept'),
    )
  })
}

/** Any POST may hear that its Idempotency-Key is taken. */
const withConflict = ({ url, schema }: RouteOptions): Record<string, unknown> => ({
  409: url.startsWith('/v1/payments-init/') ? initiationError : standardError,
  ...(schema?.response as Record<string, unknown> | undefined), // a map of statuses, by Fastify's definition
})

/**
 * Keyed, because a body may hold a card number and a plain hash of one can be guessed. With the caller's rights,
 * because the answer may hold a secret that neither another member nor a narrowed key may see.
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
