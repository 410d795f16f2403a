import type { Caller } from '../../lib/access.ts'
import { forbidden } from '../../lib/errors.ts'
import { outboxChannel } from '../../engine/outbox.ts'
import { auditStatement } from '../audit-log/record-audit.ts'
import { assertPayoutsOpen } from '../organizations/assert-payouts-open.ts'
import { asConflict } from './cancel-payment.ts'
import { changeStatus } from './change-status.ts'
import { asUncovered, wrongState } from './errors.ts'
import { loadPayment } from './get-payment.ts'
import type { LoadedPayment, Payment, PaymentDeps } from './record.ts'
import { holdStatements, isHeld } from './build-postings.ts'
import type { Status } from './rules.ts'
import { insertReview, selectReviewers } from './store.ts'
import { superviseFrom } from './schedule-supervision.ts'

interface ReviewDecision {
  paymentId: string
  decision: 'approve' | 'reject'
  comments: string | null
}

/** Four-eyes approval: a member approves, then an org-admin. Nobody approves twice, or their own payment. */
export async function reviewPayment(
  deps: PaymentDeps,
  caller: Caller,
  input: ReviewDecision,
): Promise<LoadedPayment> {
  const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
  const { payment } = loaded
  const reviewers = await deps.db.inOrg(caller.orgId, (tx) =>
    selectReviewers(tx, caller.orgId, input.paymentId),
  )
  assertMayReview(caller, payment, reviewers)
  const status = nextStatus(payment, input.decision)
  if (status === 'confirmed' && caller.role !== 'org-admin' && caller.role !== 'platform-admin')
    throw forbidden('The second approval is an org-admin’s to give.')
  if (status === 'confirmed') await assertPayoutsOpen(deps, caller.orgId)
  const reviewed = await changeStatus(deps, loaded, {
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
      ...(status === 'confirmed'
        ? [
            superviseFrom(payment, deps.clock.now()),
            ...(isHeld(payment.status, payment) ? [] : holdStatements(payment)),
          ]
        : []),
    ],
  })
    .catch((error: unknown) => {
      throw asUncovered(error, payment.source)
    })
    .catch(asConflict)
  deps.db.wake(outboxChannel)
  return reviewed
}

function assertMayReview(caller: Caller, payment: Payment, reviewers: readonly string[]): void {
  if (payment.status !== 'initiated' && payment.status !== 'reviewed')
    throw wrongState(`A payment that is ${payment.status} waits for no review.`)
  if (payment.userId === caller.userId) throw forbidden('You cannot review a payment that you initiated.')
  if (reviewers.includes(caller.userId)) throw wrongState('You have reviewed this payment already.')
}

function nextStatus(payment: Payment, decision: ReviewDecision['decision']): Status {
  if (decision === 'reject') return 'rejected'
  return payment.status === 'initiated' ? 'reviewed' : 'confirmed'
}
