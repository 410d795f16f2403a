import type { Database } from '../../../db/database.ts'
import type { Caller } from '../../../lib/access.ts'
import { formatMinor } from '../../../lib/money.ts'
import { loadPayment } from '../get-payment.ts'
import type { LoadedPayment } from '../record.ts'
import type { TimelineEntry } from './schema.ts'
import { selectDecisions, selectHistory, type Decisions, type History } from './store.ts'

export interface TimelineDeps {
  db: Database
}

/** Merges the request, routing, attempts, inquiries, webhooks, postings and events of a payment, oldest first. */
export async function getTimeline(
  deps: TimelineDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<TimelineEntry[]> {
  const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
  const [history, decisions] = await deps.db.inOrg(caller.orgId, (tx) =>
    Promise.all([
      selectHistory(tx, caller.orgId, input.paymentId),
      selectDecisions(tx, caller.orgId, input.paymentId),
    ]),
  )
  const entries = [...ofPayment(loaded), ...ofHistory(history), ...ofDecisions(decisions)]
  return entries.sort((a, b) => a.at.localeCompare(b.at))
}

function ofPayment({ payment, attempts }: LoadedPayment): TimelineEntry[] {
  const { source, target } = payment
  return [
    {
      at: payment.createdAt.toISOString(),
      kind: 'request',
      summary: `${payment.direction} of ${formatMinor(source.amountMinor, source.currency)} ${source.currency} by ${payment.method}`,
      data: {
        request_id: payment.requestId,
        user_id: payment.userId,
        target_currency: target.currency,
        country: payment.country,
      },
    },
    {
      at: payment.createdAt.toISOString(),
      kind: 'routing',
      summary: payment.routing.candidates.map((candidate) => candidate.provider).join(', then '),
      data: {
        considered: payment.routing.considered.map(({ provider, configId, taken, reason }) => ({
          provider,
          config_id: configId,
          taken,
          reason,
        })),
      },
    },
    ...attempts.map((attempt): TimelineEntry => ({
      at: attempt.createdAt.toISOString(),
      kind: 'attempt',
      summary: `attempt ${attempt.attemptNo} at ${attempt.provider}: ${attempt.state}`,
      data: {
        reference: attempt.reference,
        provider_ref: attempt.providerRef,
        provider_status: attempt.providerStatus,
        code: attempt.outcomeCode,
        message: attempt.outcomeMessage,
        resolution_id: attempt.resolutionId,
        inquiries: attempt.inquiries,
        page_inquiries: attempt.pageInquiries,
        last_change: attempt.updatedAt.toISOString(),
      },
    })),
  ]
}

const ofHistory = (history: History): TimelineEntry[] => [
  ...history.inquiries.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'inquiry',
    summary: `asked about attempt ${row.attempt_no}: ${row.result}`,
    data: { detail: row.detail },
  })),
  ...history.webhooks.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'webhook',
    summary: `${row.provider} says ${row.provider_status}: ${row.result}`,
    data: { verdict: row.verdict, dedupe_key: row.dedupe_key, reference: row.reference },
  })),
  ...history.postings.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'posting',
    summary: `${row.kind} (${row.phase}): ${row.debit_account} to ${row.credit_account}`,
    data: { amount: formatMinor(BigInt(row.amount_minor), row.currency), currency: row.currency },
  })),
  ...history.events.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'event',
    summary: row.event_type,
    data: { event_id: row.event_id, sequence: row.sequence },
  })),
  ...history.reviews.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'review',
    summary: `${row.user_id} decided: ${row.decision}`,
    data: { comments: row.comments },
  })),
  ...history.refunds.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'refund',
    summary: `refund of ${formatMinor(BigInt(row.amount_minor), row.currency)} ${row.currency}: ${row.state}`,
    data: { refund_id: row.refund_id, reference: row.reference, reason: row.reason },
  })),
  ...history.disputes.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'dispute',
    summary: `dispute of ${formatMinor(BigInt(row.amount_minor), row.currency)} ${row.currency}: ${row.state}`,
    data: {
      dispute_id: row.dispute_id,
      provider_ref: row.provider_ref,
      reason: row.reason,
      withdrawn: formatMinor(BigInt(row.withdrawn_minor), row.currency),
      due_by: row.due_by?.toISOString() ?? null,
    },
  })),
  ...history.exceptions.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'exception',
    summary: row.summary,
    data: { exception_id: row.exception_id, status: row.status, suggested_action: row.suggested_action },
  })),
]

/** What two people decided. */
const ofDecisions = ({ resolutions, adjustments }: Decisions): TimelineEntry[] => [
  ...resolutions.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'resolution',
    summary: `${row.proposed_by} and ${row.approved_by} decided: ${row.outcome}`,
    data: {
      resolution_id: row.resolution_id,
      about: subjectOf(row),
      evidence: row.evidence,
      provider_reference: row.provider_reference,
    },
  })),
  ...adjustments.map((row): TimelineEntry => ({
    at: row.created_at.toISOString(),
    kind: 'adjustment',
    summary: `${row.proposed_by} and ${row.approved_by} adjusted: ${row.debit_account} to ${row.credit_account}`,
    data: {
      adjustment_id: row.adjustment_id,
      amount: formatMinor(BigInt(row.amount_minor), row.currency),
      currency: row.currency,
      reason: row.reason,
    },
  })),
]

const subjectOf = (row: Decisions['resolutions'][number]): string => {
  if (row.refund_id !== null) return `refund ${row.refund_id}`
  return row.leg_no === null ? `attempt ${row.attempt_no}` : `leg ${row.leg_no}`
}
