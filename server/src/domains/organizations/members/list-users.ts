import type { Database } from '../../../db/database.ts'
import type { Caller } from '../../../lib/access.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/paging.ts'
import type { User } from './record.ts'
import { selectUsers } from './store.ts'

export function listUsers(
  deps: { db: Database; cursorKey: Buffer },
  caller: Caller,
  input: { orgId: string | undefined; page: PageRequest },
): Promise<Page<User>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'users', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectUsers(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.user_id }),
  })
}
