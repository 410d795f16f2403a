import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden, type AppError } from '../../../lib/errors.ts'
import { wrongState } from '../errors.ts'
import type { Status } from '../lifecycle/rules.ts'

export type Decision = 'approve' | 'reject'

export interface Reviewable {
  /** A refund counts as `initiated`, and as `reviewed` after its first approval. */
  status: Status
  subject?: 'payment' | 'refund'
  userId: string
  /** Those who have reviewed it already. */
  reviewers: readonly string[]
  /** Why the caller does not count as a second person beside one of those; undefined if they do. */
  dependence: AppError | undefined
}

export const isAwaitingReview = (status: Status): boolean => status === 'initiated' || status === 'reviewed'

/**
 * Why the caller may not decide; undefined when they may. Four eyes: a member approves, then an org-admin. Nobody
 * approves twice, their own payment, or beside somebody whom they are related to.
 */
export function refuseReview(
  caller: Caller,
  { status, subject = 'payment', userId, reviewers, dependence }: Reviewable,
  decision: Decision,
): AppError | undefined {
  if (!isAwaitingReview(status)) return wrongState(`A ${subject} that is ${status} waits for no review.`)
  if (userId === caller.userId) return forbidden(`You cannot review a ${subject} that you initiated.`)
  if (reviewers.includes(caller.userId)) return wrongState(`You have reviewed this ${subject} already.`)
  const isSecond = status === 'reviewed' && decision === 'approve'
  if (isSecond && caller.role !== 'org-admin' && caller.role !== 'platform-admin')
    return forbidden('The second approval is an org-admin’s to give.')
  return decision === 'approve' ? dependence : undefined
}

const noPermission = 'You lack the permission payouts:approve.'

/** What the caller may decide, and why they may not approve. */
export function mayDecide(
  caller: Caller,
  reviewed: Reviewable,
): { decisions: Decision[]; reason: string | null } {
  if (!caller.permissions.has('payouts:approve')) return { decisions: [], reason: noPermission }
  const decisions: Decision[] = ['approve', 'reject']
  return {
    decisions: decisions.filter((decision) => refuseReview(caller, reviewed, decision) === undefined),
    reason: refuseReview(caller, reviewed, 'approve')?.message ?? null,
  }
}
