import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import type { ApprovalPolicySource } from './check-approval.ts'
import type { ApprovalPolicy } from './record.ts'
import { toPolicy } from './schema.ts'
import { replacePolicies, selectPolicies } from './store.ts'

export interface ApprovalPolicyDeps {
  db: Database
  approvalPolicies: ApprovalPolicySource
}

export async function setPolicies(
  deps: ApprovalPolicyDeps,
  caller: Caller,
  input: { orgId: string; policies: ApprovalPolicy[] },
): Promise<ApprovalPolicy[]> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  await deps.db.inOrg(orgId, async (tx) => {
    const before = await selectPolicies(tx, orgId)
    await replacePolicies(tx, orgId, input.policies)
    await recordAudit(tx, caller, orgId, {
      action: 'approval-policy.set',
      resourceType: 'approval-policy',
      resourceId: orgId,
      before: { policies: before.map(toPolicy) },
      after: { policies: input.policies.map(toPolicy) },
    })
  })
  deps.approvalPolicies.forget()
  return input.policies
}
