import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { InboxEntry } from './record.ts'
import { selectInbox } from './store.ts'

/** Only the caller's own notices. */
export function listInbox(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { isUnreadOnly: boolean; page: PageRequest },
): Promise<Page<InboxEntry>> {
  const { orgId, userId } = caller
  const { isUnreadOnly } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'inbox', filters: { userId, isUnreadOnly } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectInbox(tx, orgId, { userId, isUnreadOnly, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.notificationId }),
  })
}
