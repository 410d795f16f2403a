import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { auditOrgOf, inOwner, ownerOf } from '../../providers/accounts/resolve-owner.ts'
import type { PolicyDocument, PolicyVersion, RoutingPolicyDeps } from './record.ts'
import { insertVersion, lockVersions, replaceState } from './store.ts'

/** Writes the draft. Nothing is routed by it until it is published. */
export function draftPolicy(
  deps: Pick<RoutingPolicyDeps, 'db'>,
  caller: Caller,
  input: { orgId: string | null | undefined; document: PolicyDocument; note: string | null },
): Promise<PolicyVersion> {
  const orgId = ownerOf(caller, input.orgId)
  return inOwner(deps.db, orgId, async (tx) => {
    await lockVersions(tx, orgId)
    await replaceState(tx, orgId, { from: 'draft', to: 'discarded' })
    const { document, note } = input
    const draft = await insertVersion(tx, orgId, {
      state: 'draft',
      document,
      note,
      restores: null,
      createdBy: caller.userId,
    })
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'routing-policy.draft',
      resourceType: 'routing-policy',
      resourceId: `${orgId}/${draft.version}`,
      after: { version: draft.version, document, note },
    })
    return draft
  })
}
