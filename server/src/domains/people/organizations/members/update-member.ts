import { z } from 'zod'
import { roles, type Caller, type Role } from '../../../../lib/requests/access.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { ChangeApplier, MaybeHeld } from '../../change-requests/record.ts'
import { assertMayGiveRole, assertNotAbove, assertNotSelf } from '../rules.ts'
import { changeMember, writeMemberChange, type MemberChange, type MemberChangeDeps } from './change-member.ts'
import type { Member } from './record.ts'

interface MemberUpdate {
  orgId: string
  userId: string
  firstName?: string | undefined
  lastName?: string | undefined
  country?: string | null | undefined
  role?: Role | undefined
}

export function updateMember(
  deps: MemberChangeDeps,
  caller: Caller,
  input: MemberUpdate,
): Promise<MaybeHeld<Member>> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const change = changeOf(caller, { ...input, orgId })
  const checked: MemberChange = {
    ...change,
    decide(member) {
      if (input.role && input.role !== member.role) assertNotSelf(caller, orgId, input.userId)
      return change.decide(member)
    },
  }
  const { userId, firstName, lastName, country, role } = input
  return changeMember(deps, caller, checked, (member) => ({
    kind: 'member.update',
    payload: { user_id: userId, first_name: firstName, last_name: lastName, country, role },
    summary: `Change the role of ${member.email} from ${member.role} to ${role}.`,
  }))
}

const changeOf = (caller: Caller, input: MemberUpdate): MemberChange => ({
  orgId: input.orgId,
  userId: input.userId,
  action: 'member.update',
  decide(member) {
    if (input.role && input.role !== member.role) {
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

const requested = z.object({
  user_id: z.string(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  country: z.string().nullish(),
  role: z.enum(roles).optional(),
})

export const memberUpdateApplier: ChangeApplier = {
  async apply(tx, approver, { orgId, payload }) {
    const { user_id: userId, first_name, last_name, country, role } = requested.parse(payload)
    const update = { orgId, userId, firstName: first_name, lastName: last_name, country, role }
    await writeMemberChange(tx, approver, changeOf(approver, update))
  },
}
