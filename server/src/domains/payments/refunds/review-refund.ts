import type { CompiledQuery } from 'kysely'
import { enqueueStatement, outboxChannel } from '../../../kernel/engine/outbox.ts'
import { isStaleVersion } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import { effectivePermissions, type Caller } from '../../../lib/requests/access.ts'
import { findDependence, type IndependenceDeps } from '../../people/empowerments/reads.ts'
import { findMemberById } from '../../people/organizations/members/reads.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { asUncovered } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import { refuseReview } from '../reviews/rules.ts'
import { rateHoldStatements } from './build-refund-postings.ts'
import { closeWaitingRefund } from './close-waiting-refund.ts'
import { rejected, requesterNotAllowed } from './errors.ts'
import { announceSecondApproval } from './notify-approvers.ts'
import { getWaitingRefund } from './reads.ts'
import { findMarketRate, type RefundPriceDeps } from './price-refund.ts'
import { costMinor, type Refund } from './record.ts'
import { priceAt, toReviewable } from './rules.ts'
import { screenBeforeRefund } from './screen-refund.ts'
import { findRefundRoute, sendRefund, superviseNewRefund, type StoredRefund } from './send-refund.ts'
import { insertRefundReview, stampBegun, updateRefund } from './store.ts'

export type ReviewRefundDeps = PaymentDeps & IndependenceDeps & RefundPriceDeps

interface RefundDecision {
  refundId: string
  decision: 'approve' | 'reject'
  comments: string | null
}

/** Four eyes, as for a payout: a member approves, then an org-admin. Nobody approves twice, or their own refund. */
export async function reviewRefund(
  deps: ReviewRefundDeps,
  caller: Caller,
  input: RefundDecision,
): Promise<Refund> {
  const decided = await retryOnConflict('the refund', () => decide(deps, caller, input))
  deps.db.wake(outboxChannel)
  return 'sendBeforeMs' in decided ? sendRefund(deps, decided) : decided.refund
}

async function decide(
  deps: ReviewRefundDeps,
  caller: Caller,
  input: RefundDecision,
): Promise<StoredRefund | { refund: Refund }> {
  const { orgId } = caller
  const { refund, reviewers } = await getWaitingRefund(deps, { orgId, refundId: input.refundId })
  const others = [refund.userId, ...reviewers]
  const dependence = await findDependence(deps, caller, { orgId, others })
  const refusal = refuseReview(caller, toReviewable(refund, { reviewers, dependence }), input.decision)
  if (refusal) throw refusal
  const statements = [
    insertRefundReview(orgId, { ...input, userId: caller.userId }),
    auditStatement(caller, orgId, {
      action: `refund.${input.decision}`,
      resourceType: 'payment',
      resourceId: refund.paymentId,
      after: { refund_id: refund.refundId },
    }),
  ]
  const loaded = await loadPayment(deps, orgId, refund.paymentId)
  if (input.decision === 'reject')
    return closeWaitingRefund(deps, loaded, refund, { failure: rejected, statements })
  if (reviewers.length === 0) return approveFirst(deps, caller, refund, statements)
  if (!(await mayStillRequest(deps, refund)))
    return closeWaitingRefund(deps, loaded, refund, { failure: requesterNotAllowed, statements })
  const route = await findRefundRoute(deps, loaded)
  await screenBeforeRefund(deps, loaded)
  const priced = {
    ...refund,
    ...priceAt(await findMarketRate(deps, loaded), refund.amountMinor, refund.debitMinor),
  }
  const sendBeforeMs = monotonicMs(deps.clock) + deps.sendDeadlineMs
  return { ...route, loaded, sendBeforeMs, refund: await approveFinally(deps, priced, statements) }
}

async function approveFirst(
  deps: ReviewRefundDeps,
  caller: Caller,
  refund: Refund,
  statements: readonly CompiledQuery[],
): Promise<{ refund: Refund }> {
  const reviewed = { ...refund, version: refund.version + 1, updatedAt: deps.clock.now() }
  await deps.db.batchInOrg(refund.orgId, [
    updateRefund(refund.orgId, refund.version, reviewed),
    ...statements,
    ...(await announceSecondApproval(deps, refund, caller)),
  ])
  return { refund: reviewed }
}

/** Days may have passed, so it is priced now, and triggers of the database check suspensions and names again. */
async function approveFinally(
  deps: ReviewRefundDeps,
  refund: Refund,
  statements: readonly CompiledQuery[],
): Promise<Refund> {
  const { orgId, refundId, debitCurrency } = refund
  const now = deps.clock.now()
  const begun: Refund = {
    ...refund,
    state: 'sending',
    version: refund.version + 1,
    begunAt: now,
    updatedAt: now,
  }
  try {
    await deps.db.batchInOrg(orgId, [
      updateRefund(orgId, refund.version, begun),
      stampBegun(orgId, refundId),
      ...rateHoldStatements(begun),
      enqueueStatement(orgId, [superviseNewRefund(deps, begun)]),
      ...statements,
    ])
  } catch (error) {
    if (isStaleVersion(error)) throw error
    throw asUncovered(error, { amountMinor: costMinor(refund), currency: debitCurrency })
  }
  return begun
}

/** Whoever has left, or may not refund any more, has requested nothing that would still be sent. */
async function mayStillRequest(deps: ReviewRefundDeps, { orgId, userId }: Refund): Promise<boolean> {
  const member = await findMemberById(deps, orgId, userId)
  return member !== undefined && effectivePermissions(member).has('refunds:write')
}
