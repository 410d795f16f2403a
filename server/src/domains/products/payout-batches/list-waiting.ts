import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Batch } from './record.ts'
import { selectBatches } from './store.ts'

/** Those of the newest `limit` that wait for approval and that the caller may approve. */
export async function listWaitingBatches(
  deps: { db: Database },
  caller: Caller,
  limit: number,
): Promise<Batch[]> {
  const { orgId, role, userId, permissions } = caller
  const isAdministrator = role === 'org-admin' || role === 'platform-admin'
  if (!isAdministrator || !permissions.has('payouts:approve')) return []
  const batches = await deps.db.inOrg(orgId, (tx) =>
    selectBatches(tx, orgId, { status: 'awaiting_approval', limit, before: undefined }),
  )
  return batches.filter(({ createdBy }) => createdBy !== userId)
}
