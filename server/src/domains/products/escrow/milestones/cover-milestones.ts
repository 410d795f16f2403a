import type { Tx } from '../../../../kernel/db/database.ts'
import { changeMilestone } from './change-milestone.ts'
import type { Milestone } from './record.ts'
import { coverInOrder, isOpen } from './rules.ts'

/**
 * Redistributes the money of open milestones in sequence, after funding or after one of them changed. False if it
 * exceeds what they need. The caller holds the escrow's lock.
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
