import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import type { KeyRing } from '../../lib/key-ring.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../lib/paging.ts'
import type { ChangeRequest } from './record.ts'
import { selectRequests } from './store.ts'

export function listRequests(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { orgId: string; status: string | undefined; page: PageRequest },
): Promise<Page<ChangeRequest>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { status } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'change-requests', filters: { status } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectRequests(tx, orgId, { status, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.requestId }),
  })
}
