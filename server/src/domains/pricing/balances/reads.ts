import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { CreditLimit, OrgBalance } from './record.ts'
import { selectBalances, selectCreditLimits } from './store.ts'

export function listBalances(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<OrgBalance[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => selectBalances(tx, orgId))
}

export function listCreditLimits(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<CreditLimit[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => selectCreditLimits(tx, orgId))
}
