import type { Database } from '../../../db/database.ts'
import type { Caller, Permission } from '../../../lib/access.ts'
import type { Member } from './record.ts'
import { setPermissions } from './set-permissions.ts'

export const replacePermissions = (
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string; permissions: Permission[] },
): Promise<Member> =>
  setPermissions(deps, caller, {
    ...input,
    action: 'member.replace-permissions',
    wanted: () => new Set(input.permissions),
  })
