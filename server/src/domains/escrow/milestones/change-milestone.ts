import { runStatements, type Tx } from '../../../db/database.ts'
import { outboxChannel } from '../../../engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import { recordEvents } from '../../webhooks/publish-events.ts'
import type { EventType } from '../../webhooks/rules.ts'
import { wrongStatus } from './errors.ts'
import type { Milestone } from './record.ts'
import { canMove, type MilestoneStatus } from './rules.ts'
import { toMilestone } from './schema.ts'
import { updateMilestone } from './store.ts'

/** Writes a milestone, and publishes an event if its status changed. The caller holds the escrow's lock. */
export async function changeMilestone(tx: Tx, before: Milestone, after: Milestone): Promise<Milestone> {
  if (before.status === after.status) {
    await runStatements(tx, [updateMilestone(after.orgId, after)])
    return after
  }
  if (!canMove(before.status, after.status))
    throw new Error(`a milestone cannot move from ${before.status} to ${after.status}`)
  return publishMilestoneEvent(tx, after, 'escrow.milestone_updated', before.status)
}

/** Writes the milestone together with an event that carries it; sequences count per milestone. */
export async function publishMilestoneEvent(
  tx: Tx,
  milestone: Milestone,
  eventType: EventType,
  previousStatus: MilestoneStatus,
): Promise<Milestone> {
  const { orgId, milestoneId, escrowId, updatedAt } = milestone
  const written = { ...milestone, eventCount: milestone.eventCount + 1 }
  const data = {
    milestone_id: milestoneId,
    escrow_id: escrowId,
    status: written.status,
    previous_status: previousStatus,
    milestone: toMilestone(written),
    updated_at: updatedAt.toISOString(),
    sequence: written.eventCount,
  }
  await runStatements(tx, [
    updateMilestone(orgId, written),
    ...recordEvents(orgId, [
      {
        eventId: newId(),
        eventType,
        resourceId: milestoneId,
        sequence: written.eventCount,
        data: JSON.stringify(data),
        createdAt: updatedAt,
      },
    ]),
  ])
  tx.notifyAfterCommit(outboxChannel)
  return written
}

/** Throws a 409 that names the required status. */
export function assertMove(milestone: Milestone, to: MilestoneStatus, needed: string): void {
  if (!canMove(milestone.status, to)) throw wrongStatus(milestone.status, needed)
}
