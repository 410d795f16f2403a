import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import type { Organization } from './record.ts'
import { findOrganization } from './store.ts'

export function getOrganization(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<Organization> {
  return getOrganizationById(deps, orgInScope(caller, input.orgId, 'read'))
}

/** For operations that have settled who asks. */
export async function getOrganizationById(deps: { db: Database }, orgId: string): Promise<Organization> {
  const organization = await deps.db.inOrg(orgId, (tx) => findOrganization(tx, orgId))
  if (!organization) throw notFound('The organisation')
  return organization
}
