import { z } from 'zod'
import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../../people/change-requests/record.ts'
import type { FeeDeps, FeeSchedule } from './record.ts'
import { toSchedule } from './schema.ts'
import { findActiveAcrossOrgs, retireScheduleAcrossOrgs } from './store.ts'

/** Ends a schedule for new payments. Its terms remain readable, because payments name it. */
export async function closeSchedule(
  deps: FeeDeps,
  caller: Caller,
  input: { scheduleId: string },
): Promise<MaybeHeld<FeeSchedule>> {
  const outcome = await deps.db.acrossOrgs(async (tx): Promise<MaybeHeld<FeeSchedule>> => {
    const schedule = await findActiveAcrossOrgs(tx, input.scheduleId)
    if (!schedule) throw notFound('The fee schedule')
    const held = await deps.changeControl.holdForOperators(tx, caller, {
      orgId: schedule.orgId ?? installationOrgId,
      kind: 'fee-schedule.retire',
      payload: { schedule_id: input.scheduleId },
      summary: `Retire the fee schedule ${schedule.label}.`,
    })
    return held ? { held } : { done: await writeRetired(deps, tx, caller, input.scheduleId) }
  })
  deps.feeSchedules.invalidate()
  return outcome
}

async function writeRetired(
  deps: Pick<FeeDeps, 'clock'>,
  tx: Tx,
  caller: Caller,
  scheduleId: string,
): Promise<FeeSchedule> {
  const schedule = await retireScheduleAcrossOrgs(tx, scheduleId, deps.clock.now())
  if (!schedule) throw notFound('The fee schedule')
  await recordAudit(tx, caller, schedule.orgId ?? caller.orgId, {
    action: 'fee-schedule.retire',
    resourceType: 'fee-schedule',
    resourceId: scheduleId,
    after: toSchedule(schedule),
  })
  return schedule
}

const requested = z.object({ schedule_id: z.uuid() })

export const retirementApplier = (deps: Pick<FeeDeps, 'clock' | 'feeSchedules'>): ChangeApplier => ({
  isOperators: true,
  async apply(tx, approver, { payload }) {
    await writeRetired(deps, tx, approver, requested.parse(payload).schedule_id)
  },
  applied: () => deps.feeSchedules.invalidate(),
})
