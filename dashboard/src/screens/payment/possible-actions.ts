import type { PaymentRecord, TimelineEntry } from '@switchyard/sdk'
import { payment } from '../../messages/generated/texts.ts'
import { attemptsOf } from './entries.ts'

const { reasons } = payment

const settled: readonly string[] = ['completed', 'failed', 'refunded', 'rejected', 'canceled']
const openStates: readonly string[] = ['sending', 'accepted', 'unknown']

export const isAwaitingReview = ({ status }: PaymentRecord): boolean =>
  status === 'initiated' || status === 'reviewed'

/** Returns why an action is not possible, or undefined. The server decides; these rules mirror its state table. */
export function whyNotRefund({ direction, status }: PaymentRecord): string | undefined {
  if (direction !== 'inbound') return reasons.onlyPayins
  if (status === 'refunded') return reasons.allRefunded
  return status === 'completed' ? undefined : reasons.notCompleted
}

export function whyNotInquire(
  { status }: PaymentRecord,
  entries: readonly TimelineEntry[],
): string | undefined {
  if (settled.includes(status)) return reasons.settled
  return attemptsOf(entries).some(({ state }) => openStates.includes(state)) ? undefined : reasons.notSent
}

export function whyNotCancel(
  { direction, status }: PaymentRecord,
  entries: readonly TimelineEntry[],
): string | undefined {
  if (direction === 'external') return reasons.ramp
  if (settled.includes(status)) return reasons.ended
  const open = attemptsOf(entries).find(({ state }) => openStates.includes(state))
  return open && open.state !== 'accepted' ? reasons.inDoubt : undefined
}

interface Reviewer {
  user_id: string
  role: string
}

export function whyNotReview(
  { status, user_id }: PaymentRecord,
  entries: readonly TimelineEntry[],
  { reviewer, decision }: { reviewer: Reviewer; decision: 'approve' | 'reject' },
): string | undefined {
  if (user_id === reviewer.user_id) return reasons.own
  const reviewers = entries.filter(({ kind }) => kind === 'review').flatMap(({ actors }) => actors)
  if (reviewers.some((actor) => actor.user_id === reviewer.user_id)) return reasons.twice
  const isSecond = status === 'reviewed' && decision === 'approve'
  return isSecond && !['org-admin', 'platform-admin'].includes(reviewer.role) ? reasons.second : undefined
}
