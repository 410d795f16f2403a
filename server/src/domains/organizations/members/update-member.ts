import type { Database } from '../../../db/database.ts'
import type { Caller, Role } from '../../../lib/access.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { assertMayGiveRole, assertNotAbove, assertNotSelf } from '../rules.ts'
import { changeMember } from './change-member.ts'
import type { Member } from './record.ts'

interface MemberUpdate {
  orgId: string
  userId: string
  firstName?: string | undefined
  lastName?: string | undefined
  country?: string | null | undefined
  role?: Role | undefined
}

export function updateMember(deps: { db: Database }, caller: Caller, input: MemberUpdate): Promise<Member> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  return changeMember(deps, caller, {
    orgId,
    userId: input.userId,
    action: 'member.update',
    decide(member) {
      if (input.role && input.role !== member.role) {
        assertNotSelf(caller, orgId, input.userId)
        assertNotAbove(caller, member)
        assertMayGiveRole(caller, input.role)
      }
      const { userId, firstName, lastName, country, role } = input
      return {
        userId,
        ...(firstName !== undefined && { firstName }),
        ...(lastName !== undefined && { lastName }),
        ...(country !== undefined && { country }),
        ...(role && { role }),
      }
    },
  })
}
