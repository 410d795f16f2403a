import type { Database } from '../../../db/database.ts'
import type { Caller, Permission } from '../../../lib/access.ts'
import { withRevoked } from '../rules.ts'
import type { Member } from './record.ts'
import { setPermissions } from './set-permissions.ts'

export const revokePermissions = (
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string; permissions: Permission[] },
): Promise<Member> =>
  setPermissions(deps, caller, {
    ...input,
    action: 'member.revoke',
    wanted: (member) => withRevoked(member, input.permissions),
  })
