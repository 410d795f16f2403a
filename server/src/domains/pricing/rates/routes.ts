import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { showRate } from './quote-rate.ts'
import type { RateDeps } from './record.ts'
import { quoteQuery, quoteResponse, toQuoteResponse } from './schema.ts'

export function rateRoutes(app: App, deps: RateDeps): void {
  app.get(
    '/v1/organizations/admin/exchange-rate',
    {
      config: { spec: '4.4', access: { permission: 'rates:read' } },
      schema: {
        tags: ['Exchange rates'],
        operationId: 'rates.get',
        description:
          'Locks a rate for your organisation; its `org_rate_id` is valid until `expires_at`, 15 minutes by default. Calls for the same pair within five seconds get the same one while the rate is the same and no payment has used it. What payments may use of one rate, and of all rates of a pair at a time, is limited by the operator. `rate` already includes the margin of your organisation. Members who can neither start nor approve payments get the rate without an `org_rate_id`.',
        summary: 'Get the live rate of a currency pair, locked under an org_rate_id',
        querystring: quoteQuery,
        response: { 200: quoteResponse, ...errors(404) },
      },
    },
    async ({ caller, query }) => toQuoteResponse(await showRate(deps, caller, query)),
  )
}
