import type { Database } from '../../../../kernel/db/database.ts'
import { effectivePermissions } from '../../../../lib/requests/access.ts'
import type { Member } from './record.ts'
import { selectPossibleHolders } from './store.ts'

const respondersLimit = 50
const permission = 'disputes:write'

/** Those who are notified when a dispute waits for a response. */
export async function listResponders(deps: { db: Database }, orgId: string): Promise<Member[]> {
  const members = await deps.db.inOrg(orgId, (tx) =>
    selectPossibleHolders(tx, orgId, { permission, limit: respondersLimit }),
  )
  return members.filter((member) => effectivePermissions(member).has(permission))
}
