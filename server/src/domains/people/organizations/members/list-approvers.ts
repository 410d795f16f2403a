import type { Database } from '../../../../kernel/db/database.ts'
import { effectivePermissions } from '../../../../lib/requests/access.ts'
import type { Member } from './record.ts'
import { selectPossibleHolders } from './store.ts'

const approversLimit = 50
const permission = 'payouts:approve'

/** Those who are notified when a payment waits for approval. */
export async function listApprovers(deps: { db: Database }, orgId: string): Promise<Member[]> {
  const members = await deps.db.inOrg(orgId, (tx) =>
    selectPossibleHolders(tx, orgId, { permission, limit: approversLimit }),
  )
  return members.filter((member) => effectivePermissions(member).has(permission))
}
