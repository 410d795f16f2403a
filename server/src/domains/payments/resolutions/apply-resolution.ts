import { joinTransaction, runStatements, timeIn, type Tx } from '../../../kernel/db/database.ts'
import { outboxChannel } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import type { ApprovedChange, ChangeApplier } from '../../people/change-requests/record.ts'
import { settleExceptions } from '../../people/exceptions/settle-exceptions.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { updateAttempt } from '../attempts/store.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment } from '../record.ts'
import { applyRefundFact } from '../refunds/apply-refund-fact.ts'
import { isRefundInDoubt } from '../refunds/rules.ts'
import { lockRefund, setRefundResolution } from '../refunds/store.ts'
import { lockPayment } from '../store.ts'
import { changedSince, refundNotInDoubt } from './errors.ts'
import { readDoubt } from './read-doubt.ts'
import type { Doubt, Resolution, ResolutionDeps } from './record.ts'
import { assertSame, factOf, resolvableAttempt, returned } from './rules.ts'
import { proposal, type Proposal } from './schema.ts'
import { insertResolution } from './store.ts'

/** The kinds of exception that a decision about a payment settles. */
const settledKinds = {
  payment: ['outcome_unknown', 'pending_too_long', 'amount_differs', 'ramp_unknown', 'ramp_amount_differs'],
  return: ['reversed_after_completion', 'state_differs'],
  refund: ['refund_unknown'],
} as const

/** Writes what two people decided, with the consequences of a provider's word, in the transaction of the approval. */
export const paymentResolutionApplier = (deps: ResolutionDeps): ChangeApplier => ({
  async apply(tx, approver, change) {
    const { orgId } = change
    const proposed = proposal.parse(change.payload)
    await lockPayment(tx, orgId, proposed.payment_id)
    const joined = { ...deps, db: joinTransaction(deps.db, tx) }
    const loaded = await loadPayment(joined, orgId, proposed.payment_id)
    const doubt = await readDoubt(deps, tx, loaded)
    const kinds = proposed.outcome === 'returned' ? settledKinds.return : settledKinds.payment
    await record(deps, tx, approver, { change, proposed, kinds })
    if (loaded.payment.direction === 'external') await resolveLeg(deps, tx, change, proposed)
    else if (proposed.outcome === 'returned') await returnPayout(joined, loaded, { change, proposed, doubt })
    else await resolveAttempt(joined, loaded, { change, proposed, doubt })
    tx.notifyAfterCommit(outboxChannel)
  },
})

export const refundResolutionApplier = (deps: ResolutionDeps): ChangeApplier => ({
  async apply(tx, approver, change) {
    const { orgId, requestId } = change
    const proposed = proposal.parse(change.payload)
    const { refund_id: refundId = '', outcome } = proposed
    await lockPayment(tx, orgId, proposed.payment_id)
    const refund = await lockRefund(tx, orgId, refundId)
    if (!refund || outcome === 'returned') throw changedSince()
    if (!isRefundInDoubt(refund, { pollSchedule: deps.pollSchedule, now: await timeIn(tx) }))
      throw refundNotInDoubt(refund.state)
    await record(deps, tx, approver, { change, proposed, kinds: settledKinds.refund })
    const fact = factOf(outcome, refund.providerRef ?? proposed.provider_reference)
    await applyRefundFact({ ...deps, db: joinTransaction(deps.db, tx) }, refund, fact, [
      setRefundResolution(orgId, refundId, requestId),
    ])
    tx.notifyAfterCommit(outboxChannel)
  },
})

interface ResolutionInput {
  change: ApprovedChange
  proposed: Proposal
  kinds: readonly Parameters<typeof settleExceptions>[1]['kinds'][number][]
}

async function record(
  deps: ResolutionDeps,
  tx: Tx,
  approver: Caller,
  { change, proposed, kinds }: ResolutionInput,
): Promise<void> {
  const { orgId, requestId, requestedBy } = change
  const { payment_id: paymentId, outcome, evidence } = proposed
  const resolution: Resolution = {
    resolutionId: requestId,
    paymentId,
    attemptNo: proposed.attempt_no ?? null,
    legNo: proposed.leg_no ?? null,
    refundId: proposed.refund_id ?? null,
    outcome,
    evidence,
    providerReference: proposed.provider_reference,
    proposedBy: requestedBy,
    approvedBy: approver.userId,
    createdAt: deps.clock.now(),
  }
  await runStatements(tx, [
    insertResolution(orgId, resolution),
    settleExceptions(orgId, {
      paymentId,
      kinds,
      resolution: `Two people decided: ${outcome}. ${evidence}`,
      closedBy: approver.userId,
    }),
    auditStatement(approver, orgId, {
      action: 'payment.resolve',
      resourceType: 'payment',
      resourceId: paymentId,
      after: { outcome, proposed_by: requestedBy, resolution_id: requestId },
    }),
  ])
}

interface Decided {
  change: ApprovedChange
  proposed: Proposal
  doubt: Doubt
}

async function resolveAttempt(
  deps: ResolutionDeps,
  loaded: LoadedPayment,
  { change: { requestId }, proposed, doubt }: Decided,
): Promise<void> {
  const attempt = resolvableAttempt(loaded, proposed.outcome, doubt)
  assertSame(attempt, proposed.attempt_no)
  const outcome = proposed.outcome === 'completed' ? 'completed' : 'failed'
  await applyFact(deps, loaded, factOf(outcome, attempt.providerRef ?? proposed.provider_reference), {
    attemptNo: attempt.attemptNo,
    resolutionId: requestId,
    canSend: false,
  })
}

/** The account that paid is credited, as when the provider reports the return. */
async function returnPayout(
  deps: ResolutionDeps,
  loaded: LoadedPayment,
  { change: { orgId, requestId }, proposed, doubt }: Decided,
): Promise<void> {
  const attempt = resolvableAttempt(loaded, 'returned', doubt)
  assertSame(attempt, proposed.attempt_no)
  const { paymentId, source } = loaded.payment
  await changeStatus(deps, loaded, {
    status: 'refunded',
    patch: {
      failureCode: returned.code,
      failureMessage: returned.message,
      refundedMinor: source.amountMinor,
      providerStatus: 'resolved_returned',
    },
    extraStatements: [
      updateAttempt(orgId, paymentId, {
        ...attempt,
        outcomeCode: returned.code,
        outcomeMessage: returned.message,
        resolutionId: requestId,
        updatedAt: doubt.now,
      }),
    ],
  })
}

async function resolveLeg(
  deps: ResolutionDeps,
  tx: Tx,
  { orgId, requestId }: ApprovedChange,
  proposed: Proposal,
): Promise<void> {
  const { payment_id: paymentId, outcome } = proposed
  const { legNo } = await deps.legResolver.find(tx, orgId, paymentId)
  if (legNo !== proposed.leg_no || outcome === 'returned') throw changedSince()
  await deps.legResolver.apply(
    tx,
    { orgId, paymentId, legNo },
    {
      resolutionId: requestId,
      fact: (providerRef) => factOf(outcome, providerRef ?? proposed.provider_reference),
    },
  )
}
