import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { acceptDispute } from './accept-dispute.ts'
import { getDispute, listDisputes } from './reads.ts'
import type { DisputeDeps, ListDeps } from './record.ts'
import * as schema from './schema.ts'
import { toDispute, toDisputePage, toSummary } from './schema.ts'
import { submitEvidence } from './submit-evidence.ts'

const tags = ['Disputes']

export function disputeRoutes(app: App, deps: DisputeDeps & ListDeps): void {
  app.get(
    '/v1/disputes',
    {
      config: { access: { permission: 'disputes:read' } },
      schema: {
        tags,
        operationId: 'disputes.list',
        description:
          'Disputes are opened by providers and never through this API. Filter by `state` to find those that need a response before `due_by`.',
        summary: 'List the disputes of payers, newest first',
        querystring: schema.listDisputesQuery,
        response: { 200: schema.disputePage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toDisputePage(
        await listDisputes(deps, caller, {
          filters: {
            state: query.state,
            provider: query.provider,
            paymentId: query.payment_id,
            dueBefore: query.due_before === undefined ? undefined : new Date(query.due_before),
          },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/disputes/:dispute_id',
    {
      config: { access: { permission: 'disputes:read' } },
      schema: {
        tags,
        operationId: 'disputes.get',
        description:
          '`movements` are what the provider has taken and returned so far; the status of the payment does not change. Evidence is listed by name, and its content is never shown again.',
        summary: 'Get a dispute with its movements of money and its evidence',
        params: schema.disputeParams,
        response: { 200: schema.disputeResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('Dispute.', toDispute(await getDispute(deps, caller, { disputeId: params.dispute_id }))),
  )
  responseRoutes(app, deps)
}

function responseRoutes(app: App, deps: DisputeDeps): void {
  app.post(
    '/v1/disputes/:dispute_id/submit',
    {
      config: {
        access: { permission: 'disputes:write' },
        control: 'none: it defends money that the payer demands back',
      },
      schema: {
        tags,
        operationId: 'disputes.submit',
        description:
          'Sends everything that was added to the provider, once, after which the bank decides. If the provider does not answer, the outcome is found out in the background and nothing is sent twice.',
        summary: 'Submit the evidence of a dispute to the provider',
        params: schema.disputeParams,
        response: { 200: schema.summaryResponse, ...errors(404, 409, 422, 502) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Evidence submitted.',
        toSummary(await submitEvidence(deps, caller, { disputeId: params.dispute_id })),
      ),
  )
  app.post(
    '/v1/disputes/:dispute_id/accept',
    {
      config: {
        access: { permission: 'disputes:write' },
        control: 'none: the money goes back to whoever paid it',
      },
      schema: {
        tags,
        operationId: 'disputes.accept',
        description:
          'Gives the dispute up at the provider, which cannot be undone and costs the same as losing it. If the provider does not answer, the outcome is found out in the background and nothing is sent twice.',
        summary: 'Accept a dispute: the payer keeps the money',
        params: schema.disputeParams,
        response: { 200: schema.summaryResponse, ...errors(404, 409, 422, 502) },
      },
    },
    async ({ caller, params }) =>
      ok('Dispute accepted.', toSummary(await acceptDispute(deps, caller, { disputeId: params.dispute_id }))),
  )
}
