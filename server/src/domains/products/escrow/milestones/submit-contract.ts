import type { Caller } from '../../../../lib/requests/access.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { EscrowDeps } from '../record.ts'
import { assertMove, changeMilestone } from './change-milestone.ts'
import { milestoneOf, openActiveEscrow } from './open-escrow.ts'
import type { Milestone } from './record.ts'

/** Submits the contract under which the work was delivered, for approval. */
export function submitContract(
  deps: EscrowDeps,
  caller: Caller,
  input: { escrowId: string; milestoneId: string; reference: string; url: string | null },
): Promise<Milestone> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const before = milestoneOf(await openActiveEscrow(tx, orgId, input.escrowId), input.milestoneId)
    assertMove(before, 'submitted', 'pending')
    const at = deps.clock.now()
    const after = await changeMilestone(tx, before, {
      ...before,
      status: 'submitted',
      contractReference: input.reference,
      contractUrl: input.url,
      contractSubmittedAt: at,
      updatedAt: at,
    })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.milestone.submit',
      resourceType: 'escrow-milestone',
      resourceId: input.milestoneId,
      after: { reference: input.reference, url: input.url },
    })
    return after
  })
}
