import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { ChangeRequest } from './record.ts'
import { findRequest } from './store.ts'

export async function getRequest(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; requestId: string },
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const request = await deps.db.inOrg(orgId, (tx) => findRequest(tx, orgId, input.requestId))
  if (!request) throw notFound('The change request')
  return request
}
