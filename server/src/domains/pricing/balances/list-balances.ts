import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
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
