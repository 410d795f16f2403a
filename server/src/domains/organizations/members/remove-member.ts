import type { Database } from '../../../db/database.ts'
import type { Caller } from '../../../lib/access.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { recordAudit } from '../../audit-log/record-audit.ts'
import { assertNotAbove } from '../rules.ts'
import { toMemberView } from '../schema.ts'
import { assertAdministratorRemains, lockMember } from './change-member.ts'
import { deleteMember } from './store.ts'

/** Deletes the member's API keys too, so that their next request is refused. */
export function removeMember(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string },
): Promise<void> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  return deps.db.inOrg(orgId, async (tx) => {
    const member = await lockMember(tx, orgId, input.userId)
    assertNotAbove(caller, member)
    await assertAdministratorRemains(tx, member, undefined)
    await deleteMember(tx, orgId, input.userId)
    await recordAudit(tx, caller, orgId, {
      action: 'member.remove',
      resourceType: 'member',
      resourceId: input.userId,
      before: toMemberView(member),
    })
  })
}
