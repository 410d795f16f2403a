import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { Organization } from './record.ts'
import { findOrganization } from './store.ts'

export function getOrganization(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<Organization> {
  return getOrganizationById(deps, orgInScope(caller, input.orgId, 'read'))
}

/** For operations that have checked the caller's access themselves. */
export function getOrganizationById(deps: { db: Database }, orgId: string): Promise<Organization> {
  return deps.db.inOrg(orgId, (tx) => getOrganizationIn(tx, orgId))
}

/** In the caller's transaction. */
export async function getOrganizationIn(tx: Tx, orgId: string): Promise<Organization> {
  const organization = await findOrganization(tx, orgId)
  if (!organization) throw notFound('The organisation')
  return organization
}

/** Whether the organisation refuses the installation's provider accounts. */
export const ownAccountsOnlyIn = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await findOrganization(tx, orgId))?.ownAccountsOnly ?? false
