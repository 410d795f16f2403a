import { z } from 'zod'
import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../../people/change-requests/record.ts'
import { aboutYourself, alreadyLifted } from './errors.ts'
import type { Suspension, SuspensionDeps } from './record.ts'
import { isAbout } from './rules.ts'
import { toAudited } from './schema.ts'
import { findSuspension, findSuspensionAcrossOrgs, updateLifted } from './store.ts'

/**
 * Lifting weakens control, so it waits for a second operator. The only operator of an installation
 * lifts it alone. Held payments continue by themselves.
 */
export async function liftSuspension(
  deps: SuspensionDeps,
  caller: Caller,
  { suspensionId, reason }: { suspensionId: string; reason: string },
): Promise<MaybeHeld<Suspension>> {
  const outcome = await deps.db.acrossOrgs(async (tx): Promise<MaybeHeld<Suspension>> => {
    const suspension = await findSuspensionAcrossOrgs(tx, suspensionId)
    if (!suspension) throw notFound('The suspension')
    assertLiftable(suspension, caller)
    const held = await deps.changeControl.holdForOperators(tx, caller, {
      orgId: suspension.orgId,
      kind: 'suspension.lift',
      payload: { suspension_id: suspensionId, reason },
      summary: `Lift the suspension of ${subjects[suspension.kind]} ${suspension.subjectId}.`,
    })
    return held ? { held } : { done: await writeLifted(deps, tx, caller, { suspension, reason }) }
  })
  deps.corridors.invalidate()
  return outcome
}

const subjects: Readonly<Record<Suspension['kind'], string>> = {
  organization: 'the organisation',
  member: 'the member',
  api_key: 'the API key',
  provider_account: 'the provider account',
  payouts: 'all payouts of the installation',
}

function assertLiftable(suspension: Suspension, caller: Caller): void {
  if (isAbout(suspension, caller)) throw aboutYourself()
  if (suspension.liftedAt) throw alreadyLifted()
}

async function writeLifted(
  deps: { clock: Clock },
  tx: Tx,
  caller: Caller,
  { suspension, reason }: { suspension: Suspension; reason: string },
): Promise<Suspension> {
  const { orgId, suspensionId } = suspension
  const lifted = await updateLifted(tx, orgId, {
    suspensionId,
    reason,
    by: caller.userId,
    at: deps.clock.now(),
  })
  if (!lifted) throw alreadyLifted()
  await recordAudit(tx, caller, orgId, {
    action: 'suspension.lift',
    resourceType: 'suspension',
    resourceId: suspensionId,
    before: toAudited(suspension),
    after: toAudited(lifted),
  })
  return lifted
}

const liftPayload = z.object({ suspension_id: z.uuid(), reason: z.string() })

export const suspensionApplier = (deps: Pick<SuspensionDeps, 'clock' | 'corridors'>): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload }) {
    const { suspension_id: suspensionId, reason } = liftPayload.parse(payload)
    const suspension = await findSuspension(tx, orgId, suspensionId)
    if (!suspension) throw notFound('The suspension')
    assertLiftable(suspension, approver)
    await writeLifted(deps, tx, approver, { suspension, reason })
  },
  applied: () => deps.corridors.invalidate(),
})
