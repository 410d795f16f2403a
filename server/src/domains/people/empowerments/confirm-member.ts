import type { Caller } from '../../../lib/requests/access.ts'
import { conflict, forbidden } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { assertIndependent, type IndependenceDeps } from './reads.ts'
import { confirmEmpowerments } from './store.ts'

/** Somebody unrelated agrees afterwards to what one person alone has given a member. */
export async function confirmMember(
  deps: IndependenceDeps,
  caller: Caller,
  input: { orgId: string; userId: string },
): Promise<void> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { userId } = input
  if (caller.userId === userId) throw forbidden('You cannot confirm yourself. Somebody unrelated has to.')
  await assertIndependent(deps, caller, { orgId, others: [userId] })
  await deps.db.inOrg(orgId, async (tx) => {
    const confirmed = await confirmEmpowerments(tx, orgId, { userId, confirmedBy: caller.userId })
    if (confirmed === 0) throw conflict('There is nothing to confirm about this member.')
    await recordAudit(tx, caller, orgId, {
      action: 'member.confirm',
      resourceType: 'member',
      resourceId: userId,
      after: { confirmed },
    })
  })
}
