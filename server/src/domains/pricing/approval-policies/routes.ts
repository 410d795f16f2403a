import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { listPolicies } from './list-policies.ts'
import { fromPolicies, orgParams, policiesResponse, setPoliciesBody, toPolicies } from './schema.ts'
import { setPolicies, type ApprovalPolicyDeps } from './set-policies.ts'

export function approvalPolicyRoutes(app: App, deps: ApprovalPolicyDeps): void {
  const tags = ['Approvals']
  app.get(
    '/v1/organizations/:org_id/approval-policies',
    {
      config: { access: { permission: 'approval-policies:read' } },
      schema: {
        tags,
        operationId: 'approvalPolicies.list',
        description:
          'A payout of `payout_from` or more, or any payout once the last 24 hours reach `daily_from`, waits for two approvals, and so does a refund of `refund_from` or `refund_daily_from`. Where these two are null, refunds do not wait.',
        summary: 'List the amounts from which payouts and refunds need a second approver',
        params: orgParams,
        response: { 200: policiesResponse, ...errors() },
      },
    },
    async ({ caller, params }) => toPolicies(await listPolicies(deps, caller, { orgId: params.org_id })),
  )
  app.put(
    '/v1/organizations/:org_id/approval-policies',
    {
      config: { access: { permission: 'approval-policies:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'approvalPolicies.set',
        description:
          'Replaces all policies. A stricter set applies at once; a looser one answers 202 with a change request that another administrator has to approve.',
        summary: 'Set the amounts from which payouts and refunds need a second approver, per currency',
        params: orgParams,
        body: setPoliciesBody,
        response: { 200: policiesResponse, 202: changeRequestResponse, ...errors(409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const set = await setPolicies(deps, caller, { orgId: params.org_id, policies: fromPolicies(body) })
      return set.held ? reply.status(202).send(toHeld(set.held)) : reply.send(toPolicies(set.done))
    },
  )
}
