import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { listWaitingRequests } from '../../people/change-requests/reads.ts'
import type { ChangeKind, ChangeRequest } from '../../people/change-requests/record.ts'
import type { IndependenceDeps } from '../../people/empowerments/reads.ts'
import { listDueDisputes } from '../../after/disputes/reads.ts'
import type { Dispute } from '../../after/disputes/record.ts'
import { listAssigned } from '../../people/exceptions/reads.ts'
import type { ExceptionRow } from '../../people/exceptions/record.ts'
import { listReviewableRefunds } from '../../payments/refunds/reads.ts'
import type { RefundTask } from '../../payments/refunds/record.ts'
import { listReviewable } from '../../payments/reviews/reads.ts'
import type { ReviewTask } from '../../payments/reviews/record.ts'
import { listWaitingBatches } from '../../products/payout-batches/reads.ts'
import type { Batch } from '../../products/payout-batches/record.ts'
import { listWaitingMatches } from '../../compliance/sanctions/matches/list-waiting.ts'
import type { SanctionsMatch } from '../../compliance/sanctions/matches/record.ts'
import type { Waiting, WaitingItem } from './record.ts'
import { countLimit } from './rules.ts'

export interface WaitingDeps extends IndependenceDeps {
  clock: Clock
}

/** Everything that waits for the caller, by kind. What they may not decide about does not wait for them. */
export async function listWaiting(deps: WaitingDeps, caller: Caller): Promise<Waiting> {
  const [payouts, refunds, requests, batches, exceptions, disputes, matches] = await Promise.all([
    listReviewable(deps, caller, countLimit),
    listReviewableRefunds(deps, caller, countLimit),
    listWaitingRequests(deps, caller, countLimit),
    listWaitingBatches(deps, caller, countLimit),
    listAssigned(deps, caller, countLimit),
    listDueDisputes(deps, caller, countLimit),
    listWaitingMatches(deps, caller, countLimit),
  ])
  const ofKind = (...kinds: ChangeKind[]): WaitingItem[] =>
    requests.filter(({ kind }) => kinds.includes(kind)).map(fromRequest)
  const resolutions = ofKind('payment.resolve', 'refund.resolve')
  const adjustments = ofKind('ledger.adjust')
  const elsewhere = new Set([...resolutions, ...adjustments].map(({ id }) => id))
  return {
    payouts: payouts.map((task) => fromTask(caller.orgId, task)),
    refunds: refunds.map(fromRefund),
    change_requests: requests.map(fromRequest).filter(({ id }) => !elsewhere.has(id)),
    resolutions,
    ledger_adjustments: adjustments,
    batches: batches.map(fromBatch),
    exceptions: exceptions.map(fromException),
    disputes: disputes.map(fromDispute),
    sanctions_matches: matches.map(fromMatch),
  }
}

const fromTask = (orgId: string, { payment }: ReviewTask): WaitingItem => ({
  id: payment.paymentId,
  orgId,
  summary: payment.description ?? payment.clientReference ?? 'A payment waits for your approval.',
  amount: payment.source,
  requestedBy: payment.userId,
  dueBy: null,
  createdAt: payment.createdAt,
})

const fromRefund = ({ refund }: RefundTask): WaitingItem => ({
  id: refund.refundId,
  orgId: refund.orgId,
  summary: refund.reason,
  amount: { amountMinor: refund.amountMinor, currency: refund.currency },
  requestedBy: refund.userId,
  dueBy: null,
  createdAt: refund.createdAt,
})

const fromRequest = (request: ChangeRequest): WaitingItem => ({
  id: request.requestId,
  orgId: request.orgId,
  summary: request.summary,
  amount: null,
  requestedBy: request.requestedBy,
  dueBy: request.expiresAt,
  createdAt: request.createdAt,
})

function fromBatch(batch: Batch): WaitingItem {
  const [first, ...more] = batch.totals
  return {
    id: batch.batchId,
    orgId: batch.orgId,
    summary: batch.description ?? `A batch of ${batch.rowCount} payouts waits for your approval.`,
    amount: first && more.length === 0 ? first : null,
    requestedBy: batch.createdBy,
    dueBy: null,
    createdAt: batch.createdAt,
  }
}

const fromException = (row: ExceptionRow): WaitingItem => ({
  id: row.exception_id,
  orgId: row.org_id,
  summary: row.summary,
  amount:
    row.held_minor === null || row.held_currency === null
      ? null
      : { amountMinor: BigInt(row.held_minor), currency: row.held_currency },
  requestedBy: null,
  dueBy: null,
  createdAt: row.created_at,
})

const fromDispute = (dispute: Dispute): WaitingItem => ({
  id: dispute.disputeId,
  orgId: dispute.orgId,
  summary: `A dispute at ${dispute.provider} needs an answer.`,
  amount: dispute,
  requestedBy: null,
  dueBy: dispute.dueBy,
  createdAt: dispute.createdAt,
})

/** Without the name: who may see it opens the match. */
const fromMatch = (match: SanctionsMatch): WaitingItem => ({
  id: match.matchId,
  orgId: match.orgId,
  summary: `A possible match with the sanctions list ${match.source.toUpperCase()} needs a decision.`,
  amount: null,
  requestedBy: null,
  dueBy: null,
  createdAt: match.createdAt,
})
