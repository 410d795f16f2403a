import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import type { FeeDeps, FeeSchedule, NewSchedule } from './record.ts'
import { toSchedule } from './schema.ts'
import { insertScheduleAcrossOrgs } from './store.ts'

/** Only the operator sets prices; payments that were initiated before keep theirs. */
export async function createSchedule(
  deps: FeeDeps,
  caller: Caller,
  input: NewSchedule,
): Promise<FeeSchedule> {
  if (input.orgId !== null) await getOrganizationById(deps, input.orgId)
  const schedule: FeeSchedule = {
    ...input,
    scheduleId: newId(),
    createdAt: deps.clock.now(),
    retiredAt: null,
  }
  await deps.db.acrossOrgs(async (tx) => {
    await insertScheduleAcrossOrgs(tx, input.orgId ?? installationOrgId, schedule)
    await recordAudit(tx, caller, input.orgId ?? caller.orgId, {
      action: 'fee-schedule.create',
      resourceType: 'fee-schedule',
      resourceId: schedule.scheduleId,
      after: toSchedule(schedule),
    })
  })
  deps.feeSchedules.invalidate()
  return schedule
}
