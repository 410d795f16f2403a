import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import type { Geography } from './record.ts'
import { countUsersByCountry, selectCountries } from './store.ts'

/** Where an organisation's users are, and where its payments come from. */
export function getGeography(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string | undefined },
): Promise<Geography> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, async (tx) => {
    const [users, payments] = await Promise.all([countUsersByCountry(tx, orgId), selectCountries(tx, orgId)])
    return { users, payments }
  })
}
