import type { Caller } from '../../../../lib/requests/access.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { parseAmount } from '../../virtual-accounts/transactions/rules.ts'
import type { EscrowDeps } from '../record.ts'
import { changeMilestone } from './change-milestone.ts'
import { coverMilestones } from './cover-milestones.ts'
import { badSplits, fundedMore, wrongStatus } from './errors.ts'
import { getMilestone } from './reads.ts'
import { milestoneOf, openActiveEscrow } from './open-escrow.ts'
import type { Milestone, MilestoneChange } from './record.ts'
import { excessOf, isOpen } from './rules.ts'
import { toMilestone } from './schema.ts'

/** The amount of an approved milestone is fixed, because the approval was for that amount. */
export async function updateMilestone(
  deps: EscrowDeps,
  caller: Caller,
  input: MilestoneChange,
): Promise<Milestone> {
  const { orgId } = caller
  const at = deps.clock.now()
  await deps.db.inOrg(orgId, async (tx) => {
    const opened = await openActiveEscrow(tx, orgId, input.escrowId)
    const before = milestoneOf(opened, input.milestoneId)
    if (!isOpen(before.status)) throw wrongStatus(before.status, 'not yet being disbursed')
    const expectedMinor =
      input.expected === undefined ? before.expectedMinor : parseAmount(input.expected, before.currency)
    if (expectedMinor !== before.expectedMinor && before.status === 'approved')
      throw wrongStatus(before.status, 'pending or submitted')
    const problem = excessOf(expectedMinor, before.splits)
    if (problem) throw badSplits(problem)
    const changed: Milestone = {
      ...before,
      label: input.label ?? before.label,
      description: input.description === undefined ? before.description : input.description,
      dueDate: input.dueDate === undefined ? before.dueDate : input.dueDate,
      expectedMinor,
      updatedAt: at,
    }
    const others = opened.milestones.filter(({ milestoneId }) => milestoneId !== before.milestoneId)
    // Its coverage returns to the pool first, because a row may never be covered by more than it expects.
    await changeMilestone(tx, before, { ...changed, coveredMinor: 0n })
    const freed = { addedMinor: before.coveredMinor, at }
    if (!(await coverMilestones(tx, [...others, { ...changed, coveredMinor: 0n }], freed))) throw fundedMore()
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.milestone.update',
      resourceType: 'escrow-milestone',
      resourceId: before.milestoneId,
      before: toMilestone(before),
      after: toMilestone(changed),
    })
  })
  return getMilestone(deps, caller, input)
}
