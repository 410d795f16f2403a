import type { Caller } from '../../../../lib/requests/access.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { EscrowDeps } from '../record.ts'
import { changeMilestone } from './change-milestone.ts'
import { badSplits, wrongStatus } from './errors.ts'
import { milestoneOf, openEscrow } from './open-escrow.ts'
import { readSplits } from './read-splits.ts'
import type { Milestone, SplitUpdate } from './record.ts'
import { excessOf, isOpen, mergeSplits } from './rules.ts'
import { toMilestone } from './schema.ts'
import { putSplits } from './store.ts'

/** Applies all updates or none. Parties that are not named keep their splits. */
export function updateParties(
  deps: EscrowDeps,
  caller: Caller,
  input: { escrowId: string; milestoneId: string; updates: readonly SplitUpdate[] },
): Promise<Milestone> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const opened = await openEscrow(tx, orgId, input.escrowId)
    const before = milestoneOf(opened, input.milestoneId)
    if (!isOpen(before.status)) throw wrongStatus(before.status, 'not yet being disbursed')
    const updates = await readSplits(tx, opened.escrow, input.updates, before.splits)
    const splits = mergeSplits(before.splits, updates)
    const problem = excessOf(before.expectedMinor, splits)
    if (problem) throw badSplits(problem)
    await putSplits(tx, orgId, { milestoneId: before.milestoneId, splits: updates })
    const after = await changeMilestone(tx, before, { ...before, splits, updatedAt: deps.clock.now() })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.milestone.parties',
      resourceType: 'escrow-milestone',
      resourceId: before.milestoneId,
      before: { parties: toMilestone(before).parties },
      after: { parties: toMilestone(after).parties },
    })
    return after
  })
}
