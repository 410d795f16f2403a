import { removeOldPeople } from '../../../compliance/kyb/remove-old-people.ts'
import { purgeNotifications } from '../../../people/notifications/purge-notifications.ts'
import { listOrganizationIdsAcrossOrgs } from '../../../people/organizations/reads.ts'
import { eraseOldPeople } from './erase-old-people.ts'
import { retainedPeople, type RetentionDeps } from './record.ts'
import { daysBefore } from './rules.ts'

/** Erases records that have passed the retention of their kind. The request log has a job of its own. */
export async function applyRetention(deps: RetentionDeps): Promise<void> {
  const { kyb, mail } = deps.retention
  await erasePeople(deps)
  if (kyb !== undefined) await removeOldPeople(deps, daysBefore(deps.clock.now(), kyb))
  if (mail !== undefined) await purgeNotifications(deps, daysBefore(deps.clock.now(), mail))
}

async function erasePeople(deps: RetentionDeps): Promise<void> {
  const periods = retainedPeople.flatMap((kind) => {
    const days = deps.retention[kind]
    return days === undefined ? [] : [{ kind, days }]
  })
  if (periods.length === 0) return
  if (!(await deps.vault.canErase())) {
    deps.log.error('retention erases nobody: PERSON_KEYS_DIR is not set, or not adopted yet')
    return
  }
  for (const orgId of await listOrganizationIdsAcrossOrgs(deps))
    for (const period of periods) await eraseOldPeople(deps, orgId, period)
}
