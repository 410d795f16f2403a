import { z } from 'zod'
import {
  effectivePermissions,
  permissions,
  type Caller,
  type Permission,
} from '../../../../lib/requests/access.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { ChangeApplier, MaybeHeld } from '../../change-requests/record.ts'
import {
  adjustmentsFor,
  assertMayGive,
  assertRoleNotAbove,
  assertNotSelf,
  withGranted,
  withRevoked,
} from '../rules.ts'
import { changeMember, writeMemberChange, type MemberChange, type MemberChangeDeps } from './change-member.ts'
import type { Member } from './record.ts'

type PermissionAction = 'grant' | 'replace' | 'revoke'

interface PermissionChange {
  orgId: string
  userId: string
  action: PermissionAction
  permissions: Permission[]
}

const auditActions = {
  grant: 'member.grant',
  replace: 'member.replace-permissions',
  revoke: 'member.revoke',
} as const

/** Shared by grant, replace and revoke: only what callers hold themselves, and not of members above them. */
export function setPermissions(
  deps: MemberChangeDeps,
  caller: Caller,
  input: PermissionChange,
): Promise<MaybeHeld<Member>> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { userId, action } = input
  assertNotSelf(caller, orgId, userId)
  return changeMember(deps, caller, changeOf(caller, { ...input, orgId }), ({ email }) => ({
    kind: 'member.permissions',
    payload: { user_id: userId, action, permissions: input.permissions },
    summary: `${verbs[action]} ${email}: ${input.permissions.join(', ')}.`,
  }))
}

const verbs = {
  grant: 'Grant permissions to',
  replace: 'Set the permissions of',
  revoke: 'Revoke permissions of',
}

const changeOf = (caller: Caller, input: PermissionChange): MemberChange => ({
  orgId: input.orgId,
  userId: input.userId,
  action: auditActions[input.action],
  decide(member) {
    assertRoleNotAbove(caller, member)
    const wanted = wantedBy(member, input)
    assertMayGive(caller, effectivePermissions(member).symmetricDifference(wanted))
    return { userId: input.userId, ...adjustmentsFor(member.role, wanted) }
  },
})

function wantedBy(member: Member, input: PermissionChange): ReadonlySet<Permission> {
  if (input.action === 'replace') return new Set(input.permissions)
  return input.action === 'grant'
    ? withGranted(member, input.permissions)
    : withRevoked(member, input.permissions)
}

const requested = z.object({
  user_id: z.string(),
  action: z.enum(['grant', 'replace', 'revoke']),
  permissions: z.array(z.enum(permissions)),
})

export const permissionsApplier: ChangeApplier = {
  async apply(tx, approver, { orgId, payload }) {
    const { user_id: userId, ...change } = requested.parse(payload)
    await writeMemberChange(tx, approver, changeOf(approver, { orgId, userId, ...change }))
  },
}
