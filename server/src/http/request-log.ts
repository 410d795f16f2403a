import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import type { RequestLog } from '../lib/requests/request-log.ts'

/** Requests without a caller belong to no organisation; the process's own log has them. */
export function recordRequest(
  deps: { requestLog: RequestLog; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const route = request.routeOptions.url
  if (!request.isAuthenticated || route === undefined) return
  const { orgId, userId, credential } = request.caller
  deps.requestLog.record({
    orgId,
    userId,
    credential: credential.kind,
    apiKeyId: credential.kind === 'api_key' ? credential.apiKeyId : null,
    method: request.method,
    route,
    status: reply.statusCode,
    code: request.errorCode ?? null,
    durationUs: Math.round(reply.elapsedTime * 1000),
    requestId: request.id,
    createdAt: deps.clock.now(),
  })
}
