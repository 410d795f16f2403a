import type { Caller, Permission } from '../../../../lib/requests/access.ts'
import type { MaybeHeld } from '../../change-requests/record.ts'
import type { MemberChangeDeps } from './change-member.ts'
import type { Member } from './record.ts'
import { setPermissions } from './set-permissions.ts'

export const grantPermissions = (
  deps: MemberChangeDeps,
  caller: Caller,
  input: { orgId: string; userId: string; permissions: Permission[] },
): Promise<MaybeHeld<Member>> => setPermissions(deps, caller, { ...input, action: 'grant' })
