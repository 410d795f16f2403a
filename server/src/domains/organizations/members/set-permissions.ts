import type { Database } from '../../../db/database.ts'
import { effectivePermissions, type Caller, type Permission } from '../../../lib/access.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { adjustmentsFor, assertMayGive, assertNotSelf } from '../rules.ts'
import { changeMember } from './change-member.ts'
import type { Member } from './record.ts'

interface PermissionChange {
  orgId: string
  userId: string
  action: string
  wanted(member: Member): ReadonlySet<Permission>
}

/** Shared by grant, replace and revoke: callers can only give or take permissions that they hold. */
export function setPermissions(
  deps: { db: Database },
  caller: Caller,
  change: PermissionChange,
): Promise<Member> {
  const orgId = orgInScope(caller, change.orgId, 'write')
  assertNotSelf(caller, orgId, change.userId)
  return changeMember(deps, caller, {
    orgId,
    userId: change.userId,
    action: change.action,
    decide(member) {
      const wanted = change.wanted(member)
      assertMayGive(caller, effectivePermissions(member).symmetricDifference(wanted))
      return { userId: change.userId, ...adjustmentsFor(member.role, wanted) }
    },
  })
}
