import type { CompiledQuery } from 'kysely'
import type { DisputeOutcome } from '../../../connectors/kit/disputes.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { dropStatement } from '../../../kernel/engine/outbox.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { recordEvents, wakeForDeliveries } from '../../events/webhooks/publish-events.ts'
import { applyReport } from './apply-report.ts'
import { disputeEvents } from './build-events.ts'
import { yieldTo } from '../../payments/refunds/close-waiting-refund.ts'
import { changeSums, demandedSums, findExcess } from './change-sums.ts'
import { notReached, refusedByProvider } from './errors.ts'
import { loadDispute } from './reads.ts'
import type { Dispute, DisputeDeps } from './record.ts'
import { awaitsResponse, demandedMinor, isOpenState } from './rules.ts'
import { updateDispute } from './store.ts'

/** Writes the outcome of a response. Throws what the provider refused or never got, once that is written. */
export async function applyOutcome(
  deps: DisputeDeps,
  sent: Dispute,
  outcome: DisputeOutcome,
): Promise<Dispute> {
  const written = await writeOutcome(deps, sent, outcome).catch((error: unknown) => {
    // The response may have been sent: the engine asks the provider.
    const { orgId, disputeId } = sent
    deps.log.error({ err: error, orgId, disputeId }, 'the outcome of a response could not be written')
    return sent
  })
  if (outcome.kind === 'declined') throw refusedByProvider(outcome.message)
  if (outcome.kind === 'not_sent') throw notReached(sent.provider)
  if (outcome.kind !== 'accepted' || !outcome.dispute) return written
  const loaded = await loadPayment(deps, sent.orgId, sent.paymentId)
  const attempt = loaded.attempts.find((one) => one.state === 'succeeded')
  return attempt ? applyReport(deps, { loaded, attempt }, outcome.dispute) : written
}

function writeOutcome(deps: DisputeDeps, sent: Dispute, outcome: DisputeOutcome): Promise<Dispute> {
  const { orgId } = sent
  return retryOnConflict('the dispute', async () => {
    const before = await loadDispute(deps, sent)
    // A webhook may have settled it first, and another response may have begun since.
    if (!before.pending || before.pending.reference !== sent.pending?.reference) return before
    const after = changedBy(before, outcome, deps.clock.now())
    const events = after.state === before.state ? [] : disputeEvents(before, after)
    const results = await deps.db.batchInOrg(orgId, [
      ...(await demandStatements(deps, before, after)),
      updateDispute(orgId, before.version, {
        ...after,
        eventCount: after.eventCount + Math.min(1, events.length),
      }),
      ...recordEvents(orgId, events),
      ...(after.pending ? [] : [dropStatement(orgId, before.pending.reference)]),
      ...(isOpenState(after.state) ? [] : [dropStatement(orgId, after.disputeId)]),
    ])
    wakeForDeliveries(deps.db, results)
    return after
  })
}

/** Evidence in answer to a warning makes it a dispute that may withdraw the money. */
async function demandStatements(
  deps: DisputeDeps,
  before: Dispute,
  after: Dispute,
): Promise<CompiledQuery[]> {
  if (demandedMinor(before) === demandedMinor(after)) return []
  const loaded = await loadPayment(deps, after.orgId, after.paymentId)
  const { payment } = await yieldTo(deps, loaded, ({ sums }) => demandedSums(sums, before, after))
  const demanded = { moves: [], sums: demandedSums(payment.sums, before, after) }
  const { exceptions, sums } = findExcess(payment, after, demanded)
  return [
    ...changeSums(deps, payment, sums),
    ...exceptions.map((exception) => insertException(after.orgId, exception)),
  ]
}

function changedBy(before: Dispute, outcome: DisputeOutcome, now: Date): Dispute {
  const written = { ...before, version: before.version + 1, updatedAt: now }
  const { pending } = before
  if (!pending) return written
  if (outcome.kind === 'unknown') return { ...written, pending: { ...pending, state: 'unknown' } }
  const settled = { ...written, pending: null }
  if (outcome.kind !== 'accepted') return settled
  const isSubmitted = pending.action === 'submit'
  if (isSubmitted)
    return {
      ...settled,
      submittedAt: now,
      state: awaitsResponse(before.state) ? 'under_review' : before.state,
    }
  return isOpenState(before.state) ? { ...settled, state: 'accepted', closedAt: now } : settled
}
