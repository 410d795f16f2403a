import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { isSwitchedOn } from './store.ts'

export function getChangeControl(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<boolean> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => isSwitchedOn(tx, orgId))
}
