import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { FeeDeps, FeeSchedule } from './record.ts'
import { toSchedule } from './schema.ts'
import { retireScheduleAcrossOrgs } from './store.ts'

/** Ends a schedule for new payments. Its terms remain readable, because payments name it. */
export async function closeSchedule(
  deps: FeeDeps,
  caller: Caller,
  input: { scheduleId: string },
): Promise<FeeSchedule> {
  const retired = await deps.db.acrossOrgs(async (tx) => {
    const schedule = await retireScheduleAcrossOrgs(tx, input.scheduleId, deps.clock.now())
    if (!schedule) throw notFound('The fee schedule')
    await recordAudit(tx, caller, schedule.orgId ?? caller.orgId, {
      action: 'fee-schedule.retire',
      resourceType: 'fee-schedule',
      resourceId: schedule.scheduleId,
      after: toSchedule(schedule),
    })
    return schedule
  })
  deps.feeSchedules.invalidate()
  return retired
}
