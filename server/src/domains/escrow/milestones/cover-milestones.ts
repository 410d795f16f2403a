import type { Tx } from '../../../db/database.ts'
import { changeMilestone } from './change-milestone.ts'
import type { Milestone } from './record.ts'
import { coverInOrder, isOpen } from './rules.ts'

/**
 * Shares the money of all milestones that are still open out again, in sequence, after more came in or one of them
 * changed. False when it is more than they need. Under the escrow's lock.
 */
export async function coverMilestones(
  tx: Tx,
  milestones: readonly Milestone[],
  change: { addedMinor: bigint; at: Date },
): Promise<boolean> {
  const open = milestones.filter(({ status }) => isOpen(status)).sort((a, b) => a.sequence - b.sequence)
  const poolMinor = open.reduce((sum, { coveredMinor }) => sum + coveredMinor, change.addedMinor)
  const covered = coverInOrder(poolMinor, open)
  if (!covered) return false
  for (const [place, milestone] of open.entries()) {
    const coveredMinor = covered[place] ?? 0n
    const after: Milestone = { ...milestone, coveredMinor, updatedAt: change.at }
    if (coveredMinor !== milestone.coveredMinor) await changeMilestone(tx, milestone, after)
  }
  return true
}
