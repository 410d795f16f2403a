import type { Database } from '../../../db/database.ts'
import type { Caller, Permission } from '../../../lib/access.ts'
import { withGranted } from '../rules.ts'
import type { Member } from './record.ts'
import { setPermissions } from './set-permissions.ts'

export const grantPermissions = (
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string; permissions: Permission[] },
): Promise<Member> =>
  setPermissions(deps, caller, {
    ...input,
    action: 'member.grant',
    wanted: (member) => withGranted(member, input.permissions),
  })
