import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { hmac } from '../../lib/crypto/crypto.ts'
import { validationError } from '../../lib/errors.ts'
import { mayHaveActed, noEffects, watchEffects, type Effects } from '../../lib/flow/watch-effects.ts'
import { initiationError, standardError } from '../../lib/requests/wire.ts'
import type { App } from '../app.ts'
import type { KeyedCall } from './begin-once.ts'
import { claimFor, claimKey } from './claim-key.ts'
import { firstCallUnfinished } from './errors.ts'
import { findFirstCall, type FirstCall, type IdempotencyDeps, type KeyedRequest } from './find-first-call.ts'
import { finishCall } from './finish-call.ts'
import { releaseKey, type ClaimedKey } from './release-key.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/
/** The keys under which the responses of running requests are to be stored. */
const storedKeys = new WeakMap<FastifyRequest, string>()

/** A key that was claimed before its call ran, and what the call may have done since. */
interface RunningClaim {
  claimed: ClaimedKey
  effects: Effects
}
const runningClaims = new WeakMap<FastifyRequest, RunningClaim>()

/**
 * Accepts an optional Idempotency-Key on every POST; the same key and body replay the first response for 24 hours.
 * A route that binds its key (`bindsKey`) claims it by `beginOnce`, all others claim it before they run, and a 503 of
 * a call that has done nothing frees it again.
 */
export function registerIdempotency(app: App, deps: IdempotencyDeps): void {
  app.decorateRequest('keyedCall')
  app.addHook('onRoute', (route) => {
    if (route.method === 'POST' && route.schema) route.schema.response = withConflict(route)
  })
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    if (key === undefined || request.method !== 'POST' || !request.isAuthenticated) return
    if (typeof key !== 'string' || !keyPattern.test(key))
      throw validationError('Idempotency-Key must be 1 to 255 visible ASCII characters.')
    const keyed = { key, requestHash: hashOf(deps, request) }
    if (request.routeOptions.config.bindsKey === true) {
      const first = await readFirstCall(deps, request, keyed)
      if (first?.response) return replay(reply, first.response)
      request.keyedCall = keyedCallOf(deps, request, keyed, first?.resourceId)
      return
    }
    const claim = await claimKey(deps, request.caller, { ...keyed, log: request.log })
    if ('first' in claim) {
      if (!claim.first.response) throw firstCallUnfinished()
      return replay(reply, claim.first.response)
    }
    storedKeys.set(request, key)
    runningClaims.set(request, { claimed: claim.claimed, effects: noEffects() })
  })
  // Not async, because only what `done` starts is watched.
  app.addHook('preHandler', (request, _reply, done) => {
    const running = runningClaims.get(request)
    if (running) watchEffects(running.effects, done)
    else done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const key = storedKeys.get(request)
    if (key === undefined || typeof payload !== 'string') return
    storedKeys.delete(request)
    const running = runningClaims.get(request)
    if (reply.statusCode === 503 && running && !mayHaveActed(running.effects))
      await releaseKey(deps, request.caller, { claimed: running.claimed, log: request.log })
    // A 5xx is not worth replaying to a repeated call.
    if (reply.statusCode >= 500) return
    // A response that cannot be stored is still sent; a repeat then gets the resource, or an error if there is none yet.
    await finishCall(deps, request.caller, { key, status: reply.statusCode, body: payload }).catch(
      (error: unknown) => request.log.error({ err: error }, 'storing the idempotent response failed'),
    )
  })
}

const readFirstCall = (
  deps: IdempotencyDeps,
  { caller }: FastifyRequest,
  keyed: KeyedRequest,
): Promise<FirstCall | undefined> =>
  deps.db.inOrg(caller.orgId, (tx) => findFirstCall(deps, tx, caller, keyed))

const keyedCallOf = (
  deps: IdempotencyDeps,
  request: FastifyRequest,
  keyed: KeyedRequest,
  begunId: string | undefined,
): KeyedCall => ({
  begunId,
  claim: claimFor(request.caller, keyed),
  async findBegun() {
    const first = await readFirstCall(deps, request, keyed)
    if (first?.resourceId === undefined) throw firstCallUnfinished()
    return first.resourceId
  },
  storeResponse: () => storedKeys.set(request, keyed.key),
})

/** Documents that any POST may fail with 409 because its Idempotency-Key is in use. */
const withConflict = ({ url, schema }: RouteOptions): Record<string, unknown> => ({
  409: url.startsWith('/v1/payments-init/') ? initiationError : standardError,
  ...(schema?.response as Record<string, unknown> | undefined), // a map of statuses, by Fastify's definition
})

/**
 * An HMAC, because a body may contain a card number, whose plain hash can be guessed. It covers the caller's
 * permissions, because a narrower key of the same member must not see a secret in the response.
 */
function hashOf(deps: IdempotencyDeps, request: FastifyRequest): Buffer {
  const { userId, permissions } = request.caller
  const parts = [request.method, request.url, userId, [...permissions].sort(), request.rawBody ?? '']
  return hmac(deps.idempotencyKey.current, JSON.stringify(parts))
}

const replay = (reply: FastifyReply, recorded: { status: number; body: string }): FastifyReply =>
  reply
    .status(recorded.status)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((body: string) => body)
    .send(recorded.body)
