import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listRequests } from './list-requests.ts'
import type { RequestLogDeps } from './record.ts'
import { listRequestsQuery, requestPage, toFilters, toRequestPage } from './schema.ts'

export function requestLogRoutes(app: App, deps: RequestLogDeps): void {
  app.get(
    '/v1/request-log',
    {
      config: { access: { permission: 'audit-log:read' } },
      schema: {
        operationId: 'requestLog.list',
        tags: ['Organisations'],
        summary: 'List the requests to the API of the last seven days',
        description:
          'Shows method, route, status, error code, duration and credential of each request; bodies, queries and values in paths are never recorded. A request appears about a second after its response. Under extreme load some may be missing; the audit log has every change.',
        querystring: listRequestsQuery,
        response: { 200: requestPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toRequestPage(
        await listRequests(deps, caller, {
          orgId: query.org_id,
          filters: toFilters(query),
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
