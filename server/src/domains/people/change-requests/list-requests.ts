import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
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
