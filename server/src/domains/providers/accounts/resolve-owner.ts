import type { Database, Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'

/** Null means the installation, which only the operator may change; undefined means the caller's own organisation. */
export function ownerOf(caller: Caller, orgId: string | null | undefined): string {
  const isOperator = caller.permissions.has('platform:write')
  if (orgId === null || (orgId === undefined && isOperator)) {
    if (!isOperator) throw forbidden('Only the operator can change the configurations of the installation.')
    return installationOrgId
  }
  return orgInScope(caller, orgId, 'write')
}

export const inOwner = <T>(db: Database, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  orgId === installationOrgId ? db.acrossOrgs(work) : db.inOrg(orgId, work)

/** Changes to the installation's rows are recorded in the operator's audit log. */
export const auditOrgOf = (caller: Caller, orgId: string): string =>
  orgId === installationOrgId ? caller.orgId : orgId
