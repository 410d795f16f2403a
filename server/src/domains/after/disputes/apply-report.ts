import type { CompiledQuery } from 'kysely'
import type { DisputeMove, ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { isStaleVersion, isUniqueViolation } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { dropStatement, enqueueStatement, rescheduleStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import type { LoadedPayment, Payment, StoredAttempt } from '../../payments/record.ts'
import { yieldTo } from '../../payments/refunds/close-waiting-refund.ts'
import type { PayinSums } from '../../payments/sums/record.ts'
import { recordEvents, wakeForDeliveries } from '../../events/webhooks/publish-events.ts'
import { disputeEvents } from './build-events.ts'
import { moveStatements } from './build-postings.ts'
import { bookMoves, changeSums, demandedSums, findExcess } from './change-sums.ts'
import { contradicted, otherCurrency } from './errors.ts'
import { reminderJob } from './notify-members.ts'
import type { BookedMove, Dispute, DisputeDeps } from './record.ts'
import { amountIn, isOpenState, isWithdrawal, newMoves, nextState, reminderAt } from './rules.ts'
import { findDisputeByProviderRef, insertDispute, insertMoves, updateDispute } from './store.ts'

interface ReportedPayment {
  loaded: LoadedPayment
  attempt: StoredAttempt
}

/** How the report is recorded; absent for the answer to a call of ours. */
interface ReportRecord {
  inbox(result: string): CompiledQuery
  isAsked: boolean
}

interface ReportPlan {
  before: Dispute | undefined
  after: Dispute
  /** What the payment gave back afterwards. */
  sums: PayinSums
  moves: BookedMove[]
  exceptions: NewException[]
  /** What became of the report, for its inbox row. */
  result: string
}

/**
 * Writes what a report means for a dispute, the ledger and the events in one transaction, fenced by the version. A
 * report without news writes at most its inbox row.
 */
export function applyReport(
  deps: DisputeDeps,
  { loaded, attempt }: ReportedPayment,
  report: ProviderDispute,
  record?: ReportRecord,
): Promise<Dispute> {
  const { orgId, paymentId } = loaded.payment
  const key = { accountId: attempt.accountId, providerRef: report.providerRef }
  let current = loaded
  const write = async (): Promise<Dispute> => {
    const before = await deps.db.inOrg(orgId, (tx) => findDisputeByProviderRef(tx, orgId, key))
    const planFor = (payment: Payment): ReportPlan =>
      planReport(deps, { loaded: { ...current, payment }, attempt }, report, before)
    current = await yieldTo(deps, current, (payment) => planFor(payment).sums)
    const plan = planFor(current.payment)
    const statements = statementsFor(deps, current.payment, plan)
    if (record && (statements.length > 0 || !record.isAsked)) statements.push(record.inbox(plan.result))
    if (statements.length === 0) return plan.after
    try {
      wakeForDeliveries(deps.db, await deps.db.batchInOrg(orgId, statements))
    } catch (error) {
      if (isStaleVersion(error)) current = await loadPayment(deps, orgId, paymentId)
      throw error
    }
    return plan.after
  }
  return retryOnConflict('the dispute', write, isWrittenMeanwhile)
}

const isWrittenMeanwhile = (error: unknown): boolean =>
  isStaleVersion(error) || isUniqueViolation(error, 'disputes_by_provider_ref')

function planReport(
  deps: Pick<DisputeDeps, 'clock'>,
  payment: ReportedPayment,
  report: ProviderDispute,
  before: Dispute | undefined,
): ReportPlan {
  const now = deps.clock.now()
  const base = before ?? newDispute(payment, report, now)
  const change = before ? nextState(before, report) : undefined
  const { currency } = base
  const reported = newMoves(base.moves, report.funds, currency)
  const { moves, sums: moved } = bookMoves(base, bookable(reported, currency), payment.loaded.payment)
  const taken = change?.kind === 'changes' ? { state: change.state, round: change.round } : {}
  const isNewer = change === undefined || change.kind === 'changes' || change.kind === 'same'
  const after: Dispute = {
    ...base,
    ...taken,
    ...(isNewer && freshest(base, report)),
    ...withMoves(base, moves),
    ...(report.hasEvidence === true && { submittedAt: base.submittedAt ?? now }),
  }
  const isChanged = before === undefined || hasChanged(before, after)
  const exceptions = [
    ...(change?.kind === 'contradicts' ? [contradicted(base, report.state ?? '')] : []),
    ...(moves.length < reported.length
      ? [otherCurrency(base, reported[moves.length]?.amount.currency ?? '')]
      : []),
  ]
  const dispute = isChanged ? closedOrOpen(settleAction(after), before, now) : base
  const { exceptions: beyond, sums } = findExcess(payment.loaded.payment, dispute, {
    moves,
    sums: demandedSums(moved, before, dispute),
  })
  return {
    before,
    after: dispute,
    sums,
    moves,
    exceptions: [...exceptions, ...beyond],
    result: resultOf(change?.kind, report, isChanged),
  }
}

function newDispute({ loaded, attempt }: ReportedPayment, report: ProviderDispute, now: Date): Dispute {
  const { orgId, paymentId, source } = loaded.payment
  return {
    orgId,
    disputeId: newId(),
    paymentId,
    provider: attempt.provider,
    accountId: attempt.accountId,
    custody: attempt.custody,
    providerRef: report.providerRef,
    state: report.state ?? 'needs_response',
    round: report.round,
    reason: report.reason,
    providerReason: report.providerReason,
    providerStatus: report.providerStatus,
    amountMinor: amountIn(report.amount, source.currency)?.amountMinor ?? source.amountMinor,
    currency: source.currency,
    dueBy: report.dueBy ?? null,
    reportedAt: report.reportedAt ?? null,
    moves: 0,
    withdrawnMinor: 0n,
    pending: null,
    submittedAt: null,
    remindedAt: null,
    eventCount: 0,
    version: 0,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  }
}

/** Ledger accounts are per currency of the payment, so a movement in another one needs a person. */
function bookable(moves: readonly DisputeMove[], currency: string): DisputeMove[] {
  const other = moves.findIndex(({ amount }) => amount.currency !== currency)
  return other === -1 ? [...moves] : moves.slice(0, other)
}

const freshest = (base: Dispute, report: ProviderDispute): Partial<Dispute> => ({
  providerStatus: report.providerStatus,
  reason: report.reason === 'general' ? base.reason : report.reason,
  providerReason: report.providerReason === '' ? base.providerReason : report.providerReason,
  dueBy: report.dueBy ?? base.dueBy,
  reportedAt: report.reportedAt ?? base.reportedAt,
})

function withMoves(base: Dispute, moves: readonly BookedMove[]): Pick<Dispute, 'moves' | 'withdrawnMinor'> {
  let withdrawnMinor = base.withdrawnMinor
  for (const { moveNo, amountMinor } of moves) {
    const left = isWithdrawal(moveNo) ? withdrawnMinor + amountMinor : withdrawnMinor - amountMinor
    withdrawnMinor = left < 0n ? 0n : left
  }
  return { moves: base.moves + moves.length, withdrawnMinor }
}

function hasChanged(before: Dispute, after: Dispute): boolean {
  const shown = (dispute: Dispute) => [
    dispute.state,
    dispute.round,
    dispute.reason,
    dispute.providerReason,
    dispute.providerStatus,
    dispute.dueBy?.getTime(),
    dispute.moves,
    dispute.submittedAt?.getTime(),
  ]
  return JSON.stringify(shown(before)) !== JSON.stringify(shown(after))
}

/** The provider's state shows the outcome of what was asked of it. */
function settleAction(dispute: Dispute): Dispute {
  const { pending, state } = dispute
  if (!pending) return dispute
  const isReceived = pending.action === 'submit' && (dispute.submittedAt !== null || state === 'under_review')
  const isOver = !isOpenState(state)
  // What a provider calls lost was given up here.
  const settled = pending.action === 'accept' && state === 'lost' ? 'accepted' : state
  return isReceived || isOver ? { ...dispute, state: settled, pending: null } : dispute
}

const closedOrOpen = (dispute: Dispute, before: Dispute | undefined, now: Date): Dispute => ({
  ...dispute,
  closedAt: isOpenState(dispute.state) ? null : (dispute.closedAt ?? now),
  version: (before?.version ?? 0) + 1,
  updatedAt: now,
})

function resultOf(kind: string | undefined, report: ProviderDispute, isChanged: boolean): string {
  if (kind === 'contradicts') return `manual review: contradicts what is known`
  if (kind === 'older' && !isChanged) return 'older than what is known'
  return isChanged ? `dispute ${report.state ?? 'changed'}` : 'nothing new'
}

function statementsFor(deps: DisputeDeps, payment: Payment, plan: ReportPlan): CompiledQuery[] {
  const { before, after, sums, moves, exceptions } = plan
  const { orgId } = after
  const raised = exceptions.map((exception) => insertException(orgId, exception))
  if (before?.version === after.version) return raised
  const events = disputeEvents(before, after)
  const row = { ...after, eventCount: after.eventCount + Math.min(1, events.length) }
  return [
    ...(sums === payment.sums ? [] : changeSums(deps, payment, sums)),
    before ? updateDispute(orgId, before.version, row) : insertDispute(orgId, row),
    ...(moves.length > 0 ? [insertMoves(orgId, after.disputeId, moves)] : []),
    ...moveStatements(after, moves),
    ...recordEvents(orgId, events),
    ...raised,
    ...reminderStatements(before, after),
    ...(before?.pending && !after.pending ? [dropStatement(orgId, before.pending.reference)] : []),
  ]
}

/** One reminder for each dispute; a later deadline moves it, and the end removes it. */
function reminderStatements(before: Dispute | undefined, after: Dispute): CompiledQuery[] {
  const { orgId, disputeId, dueBy } = after
  if (!isOpenState(after.state)) return before ? [dropStatement(orgId, disputeId)] : []
  if (dueBy === null || after.remindedAt !== null) return []
  if (before?.dueBy?.getTime() === dueBy.getTime()) return []
  if (before?.dueBy) return [rescheduleStatement(orgId, disputeId, { at: reminderAt(dueBy) })]
  return [enqueueStatement(orgId, [reminderJob({ orgId, disputeId, dueBy })])]
}
