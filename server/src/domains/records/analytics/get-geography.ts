import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { Geography } from './record.ts'
import { coversAll } from './rules.ts'
import {
  countUsersByCountry,
  countUsersByCountryAcrossOrgs,
  selectCountries,
  selectCountriesAcrossOrgs,
} from './store.ts'

/** Where an organisation's users are, and where its payments come from; for the operator, of all organisations. */
export function getGeography(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string | undefined },
): Promise<Geography> {
  if (coversAll(caller, input.orgId))
    return deps.db.acrossOrgs(async (tx) => ({
      users: await countUsersByCountryAcrossOrgs(tx),
      payments: await selectCountriesAcrossOrgs(tx),
    }))
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, async (tx) => {
    const [users, payments] = await Promise.all([countUsersByCountry(tx, orgId), selectCountries(tx, orgId)])
    return { users, payments }
  })
}
