import { isStaleVersion } from '../../../kernel/db/errors.ts'
import { noticeStatements } from '../../people/notifications/queue-notification.ts'
import { listResponders } from '../../people/organizations/members/reads.ts'
import { describeAmount } from './build-events.ts'
import type { Dispute, DisputeDeps } from './record.ts'
import { awaitsResponse, reminderAt } from './rules.ts'
import { findDispute, updateDispute } from './store.ts'

/** Due some time before the deadline. A deadline that changes moves the job. */
export const reminderJob = ({
  orgId,
  disputeId,
  dueBy,
}: Pick<Dispute, 'orgId' | 'disputeId'> & { dueBy: Date }) => ({
  outboxId: disputeId,
  service: 'Disputes',
  handler: 'remind',
  payload: { orgId, disputeId },
  due: { at: reminderAt(dueBy) },
})

/**
 * Reminds those who may respond, once per dispute and only while it awaits a response. Returns the time until then if
 * the deadline has moved.
 */
export async function notifyMembers(
  deps: DisputeDeps,
  input: { orgId: string; disputeId: string },
): Promise<number | undefined> {
  const { orgId, disputeId } = input
  const dispute = await deps.db.inOrg(orgId, (tx) => findDispute(tx, orgId, disputeId))
  if (!dispute?.dueBy || dispute.remindedAt || !awaitsResponse(dispute.state)) return undefined
  const now = await deps.db.now()
  const earlyMs = reminderAt(dispute.dueBy).getTime() - now.getTime()
  if (earlyMs > 0) return earlyMs
  const members = await listResponders(deps, orgId)
  const reminded = { ...dispute, remindedAt: now, version: dispute.version + 1, updatedAt: now }
  const variables = {
    amount: describeAmount(dispute),
    dueBy: `${dispute.dueBy.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    reference: dispute.paymentId,
    disputeId,
  }
  try {
    await deps.db.batchInOrg(orgId, [
      updateDispute(orgId, dispute.version, reminded),
      ...members.flatMap(({ userId, email, firstName, country }) =>
        noticeStatements(
          orgId,
          {
            userId,
            template: 'dispute-due',
            recipient: email,
            country,
            priority: 'urgent',
            variables: { ...variables, firstName },
          },
          disputeId,
        ),
      ),
    ])
    return undefined
  } catch (error) {
    if (!isStaleVersion(error)) throw error
    return retryMs
  }
}

const retryMs = 1_000
