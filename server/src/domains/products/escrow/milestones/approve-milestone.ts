import type { Caller } from '../../../../lib/requests/access.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { EscrowDeps } from '../record.ts'
import { assertMove, changeMilestone } from './change-milestone.ts'
import { milestoneOf, openActiveEscrow } from './open-escrow.ts'
import type { Milestone } from './record.ts'

/** Confirms that the contract is fulfilled; the milestone can be disbursed from now on. */
export function approveMilestone(
  deps: EscrowDeps,
  caller: Caller,
  input: { escrowId: string; milestoneId: string },
): Promise<Milestone> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const before = milestoneOf(await openActiveEscrow(tx, orgId, input.escrowId), input.milestoneId)
    assertMove(before, 'approved', 'submitted')
    const after = await changeMilestone(tx, before, {
      ...before,
      status: 'approved',
      updatedAt: deps.clock.now(),
    })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.milestone.approve',
      resourceType: 'escrow-milestone',
      resourceId: input.milestoneId,
      before: { status: before.status },
      after: { status: after.status },
    })
    return after
  })
}
