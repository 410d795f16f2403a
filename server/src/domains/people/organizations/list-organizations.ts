import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Organization } from './record.ts'
import { findOrganization, selectOrganizationIdsAcrossOrgs, selectOrganizationsAcrossOrgs } from './store.ts'

/** The operator sees every organisation, everybody else their own. */
export function listOrganizations(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { page: PageRequest },
): Promise<Page<Organization>> {
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId: caller.orgId, route: 'organizations', filters: {} },
    read: (limit, before) =>
      caller.permissions.has('platform:read')
        ? deps.db.acrossOrgs((tx) => selectOrganizationsAcrossOrgs(tx, limit, before))
        : deps.db.inOrg(caller.orgId, async (tx) => {
            const own = await findOrganization(tx, caller.orgId)
            return own && !before ? [own] : []
          }),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.orgId }),
  })
}

/** For what the installation does for every organisation. */
export const listOrganizationIdsAcrossOrgs = (deps: { db: Database }): Promise<string[]> =>
  deps.db.acrossOrgs(selectOrganizationIdsAcrossOrgs)
