import { z } from 'zod'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../../change-requests/record.ts'
import { assertNotAbove, changesControl } from '../rules.ts'
import { toMemberView } from '../schema.ts'
import { assertAdministratorRemains, lockMember, type MemberChangeDeps } from './change-member.ts'
import { deleteMember } from './store.ts'

/** Deletes the member's API keys too, so that their next request is refused. */
export function removeMember(
  deps: MemberChangeDeps,
  caller: Caller,
  input: { orgId: string; userId: string },
): Promise<MaybeHeld<void>> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  return deps.db.inOrg(orgId, async (tx) => {
    const member = await lockMember(tx, orgId, input.userId)
    assertNotAbove(caller, member)
    await assertAdministratorRemains(tx, member, undefined)
    if (changesControl(member, undefined)) {
      const held = await deps.changeControl.hold(tx, caller, {
        orgId,
        kind: 'member.remove',
        payload: { user_id: input.userId },
        summary: `Remove ${member.email}, whose role is ${member.role}.`,
      })
      if (held) return { held }
    }
    return { done: await removeMemberIn(tx, caller, orgId, input.userId) }
  })
}

async function removeMemberIn(tx: Tx, caller: Caller, orgId: string, userId: string): Promise<void> {
  const member = await lockMember(tx, orgId, userId)
  assertNotAbove(caller, member)
  await assertAdministratorRemains(tx, member, undefined)
  await deleteMember(tx, orgId, userId)
  await recordAudit(tx, caller, orgId, {
    action: 'member.remove',
    resourceType: 'member',
    resourceId: userId,
    before: toMemberView(member),
  })
}

const requested = z.object({ user_id: z.string() })

export const memberRemovalApplier: ChangeApplier = {
  apply: (tx, approver, { orgId, payload }) =>
    removeMemberIn(tx, approver, orgId, requested.parse(payload).user_id),
}
