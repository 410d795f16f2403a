import type { Database } from '../../../kernel/db/database.ts'
import type { App } from '../../../http/app.ts'
import type { Clock } from '../../../lib/clock.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { getGeography } from './get-geography.ts'
import { getTrends } from './get-trends.ts'
import {
  geographyQuery,
  geographyResponse,
  toGeography,
  toTrends,
  trendsQuery,
  trendsResponse,
} from './schema.ts'

export function analyticsRoutes(app: App, deps: { db: Database; clock: Clock }): void {
  const tags = ['Analytics']
  app.get(
    '/v1/users/analytics/geographic-distribution',
    {
      config: { spec: '4.16', access: { permission: 'users:read' } },
      schema: {
        tags,
        operationId: 'analytics.geographicDistribution',
        description: 'Users are counted by their own country and payments by theirs.',
        summary: 'Get the countries of the users and of the payments',
        querystring: geographyQuery,
        response: { 200: geographyResponse, ...errors() },
      },
    },
    async ({ caller, query }) => toGeography(await getGeography(deps, caller, { orgId: query.org_id })),
  )
  app.get(
    '/v1/transactions/analytics/trends',
    {
      config: { spec: '4.16', access: { permission: 'analytics:read' } },
      schema: {
        tags,
        operationId: 'analytics.trends',
        description:
          'Counts a payment on the day it was created, in your `timeZone`, with its current status. At most 366 days; days without payments are left out, and currencies are never added together.',
        summary: 'Get the number and volume of payments by day and currency, in a given time zone',
        querystring: trendsQuery,
        response: { 200: trendsResponse, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toTrends(
        await getTrends(deps, caller, {
          orgId: query.org_id,
          from: query.dateFrom,
          to: query.dateTo,
          timeZone: query.timeZone,
        }),
      ),
  )
}
