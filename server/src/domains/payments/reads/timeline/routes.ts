import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
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
          'Merges attempts at providers, the legs of a ramp with its wallet and network, webhooks, ledger entries, events and their deliveries, and decisions of people, oldest first. An attempt lists each of its states with the time. It shows nothing that the record masks, and our references at accounts of the installation only to the operator. Of a kind that has very many entries the newest are shown, and `meta.truncated` says so.',
        summary: 'Get everything that happened to a payment, in order',
        params: paymentParams,
        response: { 200: timelineResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const { data, meta } = await getTimeline(deps, caller, { paymentId: params.payment_id })
      return { ...ok('Timeline, oldest first.', data), meta }
    },
  )
}
