import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { InboxEntry } from './record.ts'
import { setRead } from './store.ts'

export function readNotice(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  input: { notificationId: string },
): Promise<InboxEntry> {
  const { orgId, userId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const { notificationId } = input
    const entry = await setRead(tx, orgId, { userId, notificationId, at: deps.clock.now() })
    if (!entry) throw notFound('The notice')
    await recordAudit(tx, caller, orgId, {
      action: 'notification.read',
      resourceType: 'notification',
      resourceId: notificationId,
    })
    return entry
  })
}
