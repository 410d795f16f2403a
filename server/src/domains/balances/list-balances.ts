import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import type { OrgBalance } from './record.ts'
import { selectBalances } from './store.ts'

export function listBalances(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<OrgBalance[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => selectBalances(tx, orgId))
}
