import type { Database } from '../../../db/database.ts'
import { isAdministrator } from '../rules.ts'
import type { Member } from './record.ts'
import { selectAdministrators } from './store.ts'

/** Those who are notified when the organisation has to decide something. */
export async function listAdministrators(deps: { db: Database }, orgId: string): Promise<Member[]> {
  const members = await deps.db.inOrg(orgId, (tx) => selectAdministrators(tx, orgId))
  return members.filter(isAdministrator)
}
