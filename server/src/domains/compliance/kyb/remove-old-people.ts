import type { Database } from '../../../kernel/db/database.ts'
import { recordSystemAudit } from '../../records/audit-log/record-audit.ts'
import { lockKyb } from '../../people/organizations/update-kyb.ts'
import { mayForget } from './rules.ts'
import { deletePeople, selectOrgsWithOldPeopleAcrossOrgs } from './store.ts'

/**
 * Removes the people who were named before the given time by organisations that are neither verified nor being
 * verified. Those behind a verified one are screened by every new list, however long ago they were named.
 */
export async function removeOldPeople(deps: { db: Database }, before: Date): Promise<number> {
  const orgIds = await deps.db.acrossOrgs((tx) => selectOrgsWithOldPeopleAcrossOrgs(tx, before))
  let removed = 0
  for (const orgId of orgIds)
    removed += await deps.db.inOrg(orgId, async (tx) => {
      const kyb = await lockKyb(tx, orgId)
      if (!kyb || !mayForget[kyb.status]) return 0
      const count = await deletePeople(tx, orgId, before)
      if (count > 0)
        await recordSystemAudit(tx, orgId, {
          action: 'kyb.forget',
          resourceType: 'organization',
          resourceId: orgId,
          after: { people: count },
        })
      return count
    })
  return removed
}
