import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
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
