import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { conflict } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../../people/change-requests/record.ts'
import type { ApprovalPolicySource } from './check-approval.ts'
import type { ApprovalPolicy } from './record.ts'
import { describePolicies, isLoosened } from './rules.ts'
import { fromRequested, requestedPolicies, toPolicy, toRequested } from './schema.ts'
import { lockPolicies, replacePolicies, selectPolicies } from './store.ts'

export interface ApprovalPolicyDeps {
  db: Database
  approvalPolicies: ApprovalPolicySource
  changeControl: ChangeControl
}

/** Stricter policies apply at once; looser ones when a second person has approved them. */
export async function setPolicies(
  deps: ApprovalPolicyDeps,
  caller: Caller,
  input: { orgId: string; policies: ApprovalPolicy[] },
): Promise<MaybeHeld<ApprovalPolicy[]>> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const held = await deps.db.inOrg(orgId, async (tx) => {
    const before = await lockedPolicies(tx, orgId)
    const request = isLoosened(before, input.policies)
      ? await deps.changeControl.hold(tx, caller, {
          orgId,
          kind: 'approval-policies.set',
          payload: { before: before.map(toRequested), policies: input.policies.map(toRequested) },
          summary: `Approval policies: ${describePolicies(input.policies)} instead of ${describePolicies(before)}.`,
        })
      : undefined
    if (!request) await writePolicies(tx, caller, orgId, { before, after: input.policies })
    return request
  })
  if (held) return { held }
  deps.approvalPolicies.invalidate()
  return { done: input.policies }
}

/** Of two concurrent changes the second compares with what the first has written. */
async function lockedPolicies(tx: Tx, orgId: string): Promise<ApprovalPolicy[]> {
  await lockPolicies(tx, orgId)
  return selectPolicies(tx, orgId)
}

async function writePolicies(
  tx: Tx,
  caller: Caller,
  orgId: string,
  { before, after }: { before: readonly ApprovalPolicy[]; after: readonly ApprovalPolicy[] },
): Promise<void> {
  await replacePolicies(tx, orgId, after)
  await recordAudit(tx, caller, orgId, {
    action: 'approval-policy.set',
    resourceType: 'approval-policy',
    resourceId: orgId,
    before: { policies: before.map(toPolicy) },
    after: { policies: after.map(toPolicy) },
  })
}

export const policiesApplier = (deps: { approvalPolicies: ApprovalPolicySource }): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload }) {
    const requested = requestedPolicies.parse(payload)
    const before = await lockedPolicies(tx, orgId)
    if (describePolicies(before) !== describePolicies(fromRequested(requested.before)))
      throw conflict('The approval policies have changed since this was requested. Ask for the change again.')
    await writePolicies(tx, approver, orgId, { before, after: fromRequested(requested.policies) })
  },
  applied: () => deps.approvalPolicies.invalidate(),
})
