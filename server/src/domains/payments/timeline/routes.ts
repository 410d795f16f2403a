import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/wire.ts'
import { getTimeline, type TimelineDeps } from './get-timeline.ts'
import { paymentParams, timelineResponse } from './schema.ts'

export function timelineRoutes(app: App, deps: TimelineDeps): void {
  app.get(
    '/v1/payments/:payment_id/timeline',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags: ['Payments'],
        operationId: 'payments.timeline',
        description:
          'Merges status changes, attempts at providers, webhooks, ledger entries and events, oldest first. It shows nothing that the record masks.',
        summary: 'Get everything that happened to a payment, in order',
        params: paymentParams,
        response: { 200: timelineResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('Timeline, oldest first.', await getTimeline(deps, caller, { paymentId: params.payment_id })),
  )
}
