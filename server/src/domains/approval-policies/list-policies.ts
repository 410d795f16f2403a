import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import type { ApprovalPolicy } from './record.ts'
import { selectPolicies } from './store.ts'

export function listPolicies(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<ApprovalPolicy[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => selectPolicies(tx, orgId))
}
