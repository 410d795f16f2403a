import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { milestoneParams, milestoneResponse, toMilestone } from '../milestones/schema.ts'
import type { EscrowDeps } from '../record.ts'
import { disburseMilestone } from './disburse-milestone.ts'

export function disbursementRoutes(app: App, deps: Pick<EscrowDeps, 'db' | 'clock'>): void {
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/disburse',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'two-approvals',
      },
      schema: {
        tags: ['Escrow'],
        operationId: 'milestones.disburse',
        description:
          'Answers at once with `disbursing`; the parties are paid in the background, each exactly once, and `escrow.milestone_updated` tells the end. The splits must cover exactly the whole amount. Payouts over an approval policy wait for two approvals.',
        summary: 'Pay the parties of an approved and funded milestone, or retry the payouts that failed',
        params: milestoneParams,
        response: { 200: milestoneResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      const ids = { escrowId: params.escrow_id, milestoneId: params.milestone_id }
      return ok('The milestone is being disbursed.', toMilestone(await disburseMilestone(deps, caller, ids)))
    },
  )
}
