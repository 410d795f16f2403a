import { runStatements, type Tx } from '../../../../kernel/db/database.ts'
import { outboxChannel } from '../../../../kernel/engine/outbox.ts'
import { buildEvent } from '../../../events/webhooks/build-event.ts'
import { recordEvents } from '../../../events/webhooks/publish-events.ts'
import { wrongStatus } from './errors.ts'
import type { Milestone } from './record.ts'
import { canMove, type MilestoneStatus } from './rules.ts'
import { toMilestone } from './schema.ts'
import { updateMilestone } from './store.ts'

/** Writes a milestone and publishes an event when its status has changed. The caller holds the escrow's lock. */
export async function changeMilestone(tx: Tx, before: Milestone, after: Milestone): Promise<Milestone> {
  if (before.status === after.status) {
    await runStatements(tx, [updateMilestone(after.orgId, after)])
    return after
  }
  if (!canMove(before.status, after.status))
    throw new Error(`a milestone cannot move from ${before.status} to ${after.status}`)
  return publishMilestoneEvent(tx, after, 'escrow.milestone_updated', before.status)
}

/** Writes a milestone and publishes an event with a snapshot of it. Events are numbered per milestone. */
export async function publishMilestoneEvent(
  tx: Tx,
  milestone: Milestone,
  eventType: 'escrow.milestone_updated' | 'escrow.disbursement_failed',
  previousStatus: MilestoneStatus,
): Promise<Milestone> {
  const { orgId, milestoneId, escrowId, updatedAt } = milestone
  const written = { ...milestone, eventCount: milestone.eventCount + 1 }
  const event = buildEvent(eventType, {
    resourceId: milestoneId,
    createdAt: updatedAt,
    data: {
      milestone_id: milestoneId,
      escrow_id: escrowId,
      status: written.status,
      previous_status: previousStatus,
      milestone: toMilestone(written),
      updated_at: updatedAt.toISOString(),
      sequence: written.eventCount,
    },
  })
  await runStatements(tx, [updateMilestone(orgId, written), ...recordEvents(orgId, [event])])
  tx.notifyAfterCommit(outboxChannel)
  return written
}

/** Throws a 409 that names the needed status unless the milestone may move to `to`. */
export function assertMove(milestone: Milestone, to: MilestoneStatus, needed: string): void {
  if (!canMove(milestone.status, to)) throw wrongStatus(milestone.status, needed)
}
