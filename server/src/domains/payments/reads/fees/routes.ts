import type { Database } from '../../../../kernel/db/database.ts'
import type { App } from '../../../../http/app.ts'
import { errors } from '../../../../lib/requests/wire.ts'
import { listFees } from './list-fees.ts'
import { feesResponse, listFeesQuery, toFees } from './schema.ts'

export function paymentFeeRoutes(app: App, deps: { db: Database }): void {
  app.get(
    '/v1/fees',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags: ['Fees'],
        operationId: 'fees.summarize',
        description:
          'Fees are what the organisation was charged, provider costs what the providers took. Amounts of different currencies are never added together.',
        summary: 'Sum up fees and the costs of providers over a period',
        querystring: listFeesQuery,
        response: { 200: feesResponse, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toFees(
        await listFees(deps, caller, {
          orgId: query.org_id,
          from: new Date(query.from),
          to: new Date(query.to),
        }),
      ),
  )
}
