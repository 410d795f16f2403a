import type { App } from '../../../../http/app.ts'
import { errors } from '../../../../lib/requests/wire.ts'
import { spanTooLong } from './errors.ts'
import { getHistory } from './get-history.ts'
import type { HistoryDeps } from './record.ts'
import { fromQuery, historyQuery, historyResponse, toHistory } from './schema.ts'

export function routingHealthRoutes(app: App, deps: HistoryDeps): void {
  app.get(
    '/v1/routing/health',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        operationId: 'routing.getHealth',
        tags: ['Routing'],
        summary: 'Get how each provider account did in each corridor over time',
        description:
          'Counts your attempts by when they were answered and ended; the latest minutes follow within half a minute. The operator sees the attempts of every organisation.',
        querystring: historyQuery,
        response: { 200: historyResponse, ...errors() },
      },
    },
    async ({ caller, query }) => {
      const filter = fromQuery(query, deps.clock.now())
      if (!filter) throw spanTooLong(query.bucket)
      return toHistory(await getHistory(deps, caller, filter))
    },
  )
}
