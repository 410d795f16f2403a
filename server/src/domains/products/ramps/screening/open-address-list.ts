import type { Tx } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { AddressListDeps } from './record.ts'

/** Works on the organisation's list, or on the installation's, which only the operator may change. */
export const inAddressList = async <T>(
  { db }: AddressListDeps,
  caller: Caller,
  everywhere: boolean,
  work: (tx: Tx, orgId: string) => Promise<T>,
): Promise<T> => {
  const orgId = everywhere ? orgInScope(caller, installationOrgId, 'write') : caller.orgId
  return everywhere ? db.acrossOrgs((tx) => work(tx, orgId)) : db.inOrg(orgId, (tx) => work(tx, orgId))
}
