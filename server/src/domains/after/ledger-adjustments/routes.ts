import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { listAdjustments } from './list-adjustments.ts'
import type { AdjustmentDeps } from './record.ts'
import { requestAdjustment } from './request-adjustment.ts'
import * as schema from './schema.ts'

export function ledgerAdjustmentRoutes(app: App, deps: AdjustmentDeps): void {
  const tags = ['Ledger']
  app.post(
    '/v1/ledger/adjustments',
    {
      config: { access: { permission: 'ledger:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'ledgerAdjustments.create',
        description:
          'Answers 202 with a change request; nothing is booked until a second person approves it, and the operator where the money is pooled.',
        summary: 'Propose a correction of the ledger; a second person approves it',
        body: schema.adjustmentBody,
        response: { 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, body }, reply) => {
      const held = await requestAdjustment(deps, caller, {
        orgId: body.org_id ?? undefined,
        adjustment: schema.fromBody(body),
      })
      return reply.status(202).send(toHeld(held))
    },
  )
  app.get(
    '/v1/ledger/adjustments',
    {
      config: { access: { permission: 'ledger:read' } },
      schema: {
        tags,
        operationId: 'ledgerAdjustments.list',
        description: 'Only approved and booked adjustments are listed. Proposals are change requests.',
        summary: 'List the corrections of the ledger, newest first',
        querystring: schema.listAdjustmentsQuery,
        response: { 200: schema.adjustmentPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      schema.toAdjustmentPage(
        await listAdjustments(deps, caller, {
          orgId: query.org_id,
          paymentId: query.payment_id,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
