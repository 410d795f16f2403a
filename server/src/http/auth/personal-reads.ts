import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '../../lib/ids.ts'
import type { PersonalReads } from '../../lib/requests/personal-reads.ts'

/** The addresses of fellow members stand in it, which every member with access to it may see. */
const auditLogRoute = '/v1/organizations/:org_id/audit-log'

/** One entry for each request, however many people its answer shows. */
export function recordPersonalRead(
  deps: { personalReads: PersonalReads },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const route = request.routeOptions.url
  if (!request.hasPersonalData || reply.statusCode >= 300 || route === undefined || route === auditLogRoute)
    return
  const { org_id: named, ...ids } = (request.params ?? {}) as Record<string, string> // path parameters are texts
  const { caller } = request
  const isOperators = named !== undefined && isUuid(named) && caller.permissions.has('platform:read')
  deps.personalReads.record({
    caller,
    orgId: isOperators ? named : caller.orgId,
    route,
    ids: Object.values(ids),
  })
}
