import type { Caller } from '../../../../lib/requests/access.ts'
import { newId } from '../../../../lib/ids.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { parseAmount } from '../../virtual-accounts/transactions/rules.ts'
import type { EscrowDeps } from '../record.ts'
import { coverMilestones } from './cover-milestones.ts'
import { badSplits, sequenceTaken, tooMany } from './errors.ts'
import { getMilestone } from './reads.ts'
import { openActiveEscrow } from './open-escrow.ts'
import { readSplits } from './read-splits.ts'
import type { Milestone, NewMilestone, OpenEscrow } from './record.ts'
import { excessOf } from './rules.ts'
import { insertMilestone, putSplits } from './store.ts'

const milestonesLimit = 100

/** A milestone inserted before others takes over their coverage, because milestones are covered in sequence. */
export async function createMilestone(
  deps: EscrowDeps,
  caller: Caller,
  input: NewMilestone,
): Promise<Milestone> {
  const { orgId } = caller
  const at = deps.clock.now()
  const milestoneId = await deps.db.inOrg(orgId, async (tx) => {
    const opened = await openActiveEscrow(tx, orgId, input.escrowId)
    const milestone = draftOf(opened, input, at)
    const splits = await readSplits(tx, opened.escrow, input.parties, [])
    const problem = excessOf(milestone.expectedMinor, splits)
    if (problem) throw badSplits(problem)
    await insertMilestone(tx, orgId, milestone)
    await putSplits(tx, orgId, { milestoneId: milestone.milestoneId, splits })
    await coverMilestones(tx, [...opened.milestones, { ...milestone, splits }], { addedMinor: 0n, at })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.milestone.create',
      resourceType: 'escrow-milestone',
      resourceId: milestone.milestoneId,
      after: { escrow_id: input.escrowId, label: input.label, sequence: milestone.sequence },
    })
    return milestone.milestoneId
  })
  return getMilestone(deps, caller, { escrowId: input.escrowId, milestoneId })
}

function draftOf({ escrow, milestones }: OpenEscrow, input: NewMilestone, at: Date): Milestone {
  if (milestones.length >= milestonesLimit) throw tooMany('milestones', milestonesLimit)
  const sequence = input.sequence ?? (milestones.at(-1)?.sequence ?? 0) + 1
  if (milestones.some((other) => other.sequence === sequence)) throw sequenceTaken()
  return {
    orgId: escrow.orgId,
    escrowId: escrow.escrowId,
    milestoneId: newId(),
    currency: escrow.currency,
    label: input.label,
    description: input.description,
    sequence,
    expectedMinor: parseAmount(input.expected, escrow.currency),
    coveredMinor: 0n,
    status: 'pending',
    dueDate: input.dueDate,
    contractReference: null,
    contractUrl: null,
    contractSubmittedAt: null,
    disbursedAt: null,
    orderedBy: null,
    eventCount: 0,
    createdAt: at,
    updatedAt: at,
    splits: [],
    shares: [],
  }
}
