import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listAuditLog } from './list-audit-log.ts'
import type { AuditLogDeps } from './record.ts'
import { auditLogPage, listAuditLogQuery, orgParams, toAuditLogPage, toFilters } from './schema.ts'

export function auditLogRoutes(app: App, deps: AuditLogDeps): void {
  app.get(
    '/v1/organizations/:org_id/audit-log',
    {
      config: { access: { permission: 'audit-log:read' } },
      schema: {
        tags: ['Organisations'],
        operationId: 'auditLog.list',
        description:
          'The log is append-only and written in the transaction of each change. It never contains secrets or account numbers.',
        summary: 'List every write in the organisation: who made it, what changed, when and from where',
        params: orgParams,
        querystring: listAuditLogQuery,
        response: { 200: auditLogPage, ...errors() },
      },
    },
    async (request) => {
      const { limit, lastEvaluatedKey } = request.query
      return toAuditLogPage(
        await listAuditLog(deps, request.caller, {
          orgId: request.params.org_id,
          filters: toFilters(request.query),
          page: { limit, cursor: lastEvaluatedKey },
        }),
      )
    },
  )
}
