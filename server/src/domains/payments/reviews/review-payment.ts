import type { CompiledQuery } from 'kysely'
import type { Caller } from '../../../lib/requests/access.ts'
import { enqueueStatement, outboxChannel } from '../../../kernel/engine/outbox.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { asConflict } from '../actions/cancel-payment.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import {
  checkPayout,
  type Approval,
  type CheckPayoutDeps,
  type PayoutCheck,
} from '../initiation/check-payout.ts'
import { asUsedUp } from '../../pricing/rates/errors.ts'
import { asUncovered } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import { findDependence, type IndependenceDeps } from '../../people/empowerments/reads.ts'
import { announceConfirmation } from './notify-approvers.ts'
import type { LoadedPayment, Payment } from '../record.ts'
import { refuseReview } from './rules.ts'
import { holdStatements, isHeld } from '../lifecycle/build-postings.ts'
import type { Status } from '../lifecycle/rules.ts'
import { insertReview, selectReviewers } from '../store.ts'
import { superviseFrom } from '../supervision/schedule-supervision.ts'

export interface ReviewDeps extends CheckPayoutDeps, IndependenceDeps {
  /** Passed in because the ramps domain depends on this one. */
  checkRamp(this: void, caller: Caller, approval: Approval): Promise<PayoutCheck>
}

interface ReviewDecision {
  paymentId: string
  decision: 'approve' | 'reject'
  comments: string | null
  orgRateId?: string | undefined
}

/** Four-eyes approval: a member approves, then an org-admin. Nobody approves twice, or their own payment. */
export async function reviewPayment(
  deps: ReviewDeps,
  caller: Caller,
  input: ReviewDecision,
): Promise<LoadedPayment> {
  const { payment } = await loadPayment(deps, caller.orgId, input.paymentId)
  const reviewers = await deps.db.inOrg(caller.orgId, (tx) =>
    selectReviewers(tx, caller.orgId, input.paymentId),
  )
  const dependence = await findDependence(deps, caller, {
    orgId: caller.orgId,
    others: [payment.userId, ...reviewers],
  })
  const refusal = refuseReview(caller, { ...payment, reviewers, dependence }, input.decision)
  if (refusal) throw refusal
  const status = nextStatus(payment, input.decision)
  const checked =
    status === 'confirmed' ? await recheck(deps, caller, payment, input) : { payment, statements: [] }
  const reviewed = await changeStatus(
    deps,
    { payment: checked.payment, attempts: [] },
    {
      status,
      patch: {
        comments: input.comments ?? payment.comments,
        ...(status === 'rejected' && {
          failureCode: 'REJECTED',
          failureMessage: 'The payment was rejected in review.',
        }),
      },
      extraStatements: [
        insertReview(caller.orgId, { ...input, userId: caller.userId }),
        auditStatement(caller, caller.orgId, {
          action: `payment.${input.decision}`,
          resourceType: 'payment',
          resourceId: input.paymentId,
          before: { status: payment.status },
          after: { status },
        }),
        ...checked.statements,
        ...(status === 'reviewed' ? await announceConfirmation(deps, payment, caller.userId) : []),
        ...consequencesOf(checked.payment, status),
      ],
    },
  )
    .catch((error: unknown) => {
      throw asUncovered(asUsedUp(error, checked.payment.source), checked.payment.source)
    })
    .catch(asConflict)
  deps.db.wake(outboxChannel)
  return reviewed
}

const recheck = (
  deps: ReviewDeps,
  caller: Caller,
  payment: Payment,
  { orgRateId }: ReviewDecision,
): Promise<PayoutCheck> =>
  payment.direction === 'external'
    ? deps.checkRamp(caller, { payment, orgRateId })
    : checkPayout(deps, caller, { payment, orgRateId })

/** The hold of an approved payout, and the job that sends it. A ramp's job also closes one that was rejected. */
function consequencesOf(payment: Payment, status: Status): CompiledQuery[] {
  if (status === 'reviewed') return []
  const { orgId, paymentId, requestId } = payment
  if (payment.direction === 'external') {
    const job = { service: 'Ramps', handler: 'supervise', payload: { orgId, paymentId } }
    return [enqueueStatement(orgId, [{ ...job, outboxId: paymentId, requestId }])]
  }
  if (status !== 'confirmed') return []
  return [superviseFrom(payment), ...(isHeld(payment.status, payment) ? [] : holdStatements(payment))]
}

function nextStatus(payment: Payment, decision: ReviewDecision['decision']): Status {
  if (decision === 'reject') return 'rejected'
  return payment.status === 'initiated' ? 'reviewed' : 'confirmed'
}
