import type { Database, Tx } from '../../../../kernel/db/database.ts'
import { isAdministrator } from '../rules.ts'
import type { Member } from './record.ts'
import { selectAdministrators, selectOperatorsAcrossOrgs } from './store.ts'

/** Those who are notified when the organisation has to decide something. */
export const listAdministrators = (deps: { db: Database }, orgId: string): Promise<Member[]> =>
  deps.db.inOrg(orgId, (tx) => listAdministratorsIn(tx, orgId))

/** In the caller's transaction. */
export async function listAdministratorsIn(tx: Tx, orgId: string): Promise<Member[]> {
  return (await selectAdministrators(tx, orgId)).filter(isAdministrator)
}

/** Those who are notified when the operator has to decide something. */
export const listOperatorsAcrossOrgs = (tx: Tx): Promise<Member[]> => selectOperatorsAcrossOrgs(tx)
