import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../../people/change-requests/record.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import type { FeeDeps, FeeSchedule, NewSchedule } from './record.ts'
import { fromRequested, requestedSchedule, toRequested, toSchedule } from './schema.ts'
import { insertScheduleAcrossOrgs } from './store.ts'

/** Only the operator sets prices, two of them where there are two; payments that were initiated before keep theirs. */
export async function createSchedule(
  deps: FeeDeps,
  caller: Caller,
  input: NewSchedule,
): Promise<MaybeHeld<FeeSchedule>> {
  if (input.orgId !== null) await getOrganizationById(deps, input.orgId)
  const outcome = await deps.db.acrossOrgs(async (tx): Promise<MaybeHeld<FeeSchedule>> => {
    const held = await deps.changeControl.holdForOperators(tx, caller, {
      orgId: input.orgId ?? installationOrgId,
      kind: 'fee-schedule.create',
      payload: toRequested(input),
      summary: `A new fee schedule: ${input.label}.`,
    })
    return held ? { held } : { done: await writeSchedule(deps, tx, caller, input) }
  })
  deps.feeSchedules.invalidate()
  return outcome
}

async function writeSchedule(
  deps: Pick<FeeDeps, 'clock'>,
  tx: Tx,
  caller: Caller,
  input: NewSchedule,
): Promise<FeeSchedule> {
  const schedule: FeeSchedule = {
    ...input,
    scheduleId: newId(),
    createdAt: deps.clock.now(),
    retiredAt: null,
  }
  await insertScheduleAcrossOrgs(tx, input.orgId ?? installationOrgId, schedule)
  await recordAudit(tx, caller, input.orgId ?? caller.orgId, {
    action: 'fee-schedule.create',
    resourceType: 'fee-schedule',
    resourceId: schedule.scheduleId,
    after: toSchedule(schedule),
  })
  return schedule
}

export const scheduleApplier = (deps: Pick<FeeDeps, 'clock' | 'feeSchedules'>): ChangeApplier => ({
  isOperators: true,
  async apply(tx, approver, { payload }) {
    await writeSchedule(deps, tx, approver, fromRequested(requestedSchedule.parse(payload)))
  },
  applied: () => deps.feeSchedules.invalidate(),
})
