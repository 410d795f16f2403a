import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import type { Member } from './record.ts'
import { selectMembers } from './store.ts'

export function listMembers(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { orgId: string; page: PageRequest },
): Promise<Page<Member>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'members', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectMembers(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.userId }),
  })
}
