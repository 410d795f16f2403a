import type { Database } from '../../../../kernel/db/database.ts'
import type { App } from '../../../../http/app.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { errors } from '../../../../lib/requests/wire.ts'
import { getProviderHealth } from './get-provider-health.ts'
import { healthQuery, healthResponse, toHealth } from './schema.ts'

export function providerHealthRoutes(app: App, deps: { db: Database; clock: Clock }): void {
  app.get(
    '/v1/providers/health',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        operationId: 'providers.getHealth',
        tags: ['Provider configurations'],
        summary: 'Get how attempts at each provider account went in a window',
        description:
          'Counts your attempts that started in the last window_minutes, by outcome and refusal code, with the time to their outcome. The operator sees the attempts of every organisation.',
        querystring: healthQuery,
        response: { 200: healthResponse, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toHealth(
        await getProviderHealth(deps, caller, {
          windowMinutes: query.window_minutes,
          provider: query.provider,
        }),
      ),
  )
}
