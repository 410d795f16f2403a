import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listAwaitingReview } from './reads.ts'
import { awaitingPage, listAwaitingQuery, toAwaitingPage } from './schema.ts'

export function reviewRoutes(app: App, deps: Parameters<typeof listAwaitingReview>[0]): void {
  app.get(
    '/v1/payments/awaiting-review',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        operationId: 'payments.listAwaitingReview',
        tags: ['Payments'],
        summary: 'List the payments that wait for approval',
        description:
          'Each one names who initiated it, who approved it first, the policy that applied, and whether you may approve it. Decide with POST /v1/payments/{payment_id}/review.',
        querystring: listAwaitingQuery,
        response: { 200: awaitingPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toAwaitingPage(
        await listAwaitingReview(deps, caller, {
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
