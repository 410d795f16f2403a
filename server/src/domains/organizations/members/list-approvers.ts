import type { Database } from '../../../db/database.ts'
import { effectivePermissions } from '../../../lib/access.ts'
import type { Member } from './record.ts'
import { selectPossibleApprovers } from './store.ts'

const approversLimit = 50

/** Those who are notified when a payment waits for approval. */
export async function listApprovers(deps: { db: Database }, orgId: string): Promise<Member[]> {
  const members = await deps.db.inOrg(orgId, (tx) => selectPossibleApprovers(tx, orgId, approversLimit))
  return members.filter((member) => effectivePermissions(member).has('payouts:approve'))
}
