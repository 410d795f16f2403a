import type { Database } from '../../../../kernel/db/database.ts'
import { effectivePermissions, type Caller, type Permission } from '../../../../lib/requests/access.ts'
import { forbidden } from '../../../../lib/errors.ts'
import { getMember } from './get-member.ts'

/** Callers may check themselves; checking others needs members:read. */
export async function checkPermission(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string; permission: Permission },
): Promise<boolean> {
  const aboutSelf = input.orgId === caller.orgId && input.userId === caller.userId
  if (!aboutSelf && !caller.permissions.has('members:read'))
    throw forbidden('You may check your own permissions only. Checking others needs members:read.')
  const member = await getMember(deps, caller, input)
  return effectivePermissions(member).has(input.permission)
}
