import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { isSwitchedOn } from './store.ts'

export function getChangeControl(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<boolean> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => isSwitchedOn(tx, orgId))
}
