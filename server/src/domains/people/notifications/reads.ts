import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import type { InboxEntry } from './record.ts'
import { findNotificationStates, selectInbox } from './store.ts'

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

/** The delivery states of notices, for the domains that queued them. */
export const getNotificationStates = (
  tx: Tx,
  orgId: string,
  notificationIds: readonly string[],
): ReturnType<typeof findNotificationStates> => findNotificationStates(tx, orgId, notificationIds)
