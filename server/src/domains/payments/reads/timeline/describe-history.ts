import { createHash } from 'node:crypto'
import { formatMinor } from '../../../../lib/money/money.ts'
import type { LoadedPayment } from '../../record.ts'
import type { Draft } from './record.ts'
import type { Decisions, History } from './store.ts'

/** One list for each kind, the newest first, as the rows were read. */
export const describeHistory = (history: History, loaded: LoadedPayment): Draft[][] => [
  ...ofTraffic(history, loaded),
  ...ofConsequences(history),
]

/** For keys that are no plain words, such as a provider's. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const amountOf = (row: { amount_minor: string; currency: string }): { amount: string; currency: string } => ({
  amount: formatMinor(BigInt(row.amount_minor), row.currency),
  currency: row.currency,
})

/** Without the path of the endpoint, which may hold a secret. */
const hostOf = ({ endpoint_url: url }: History['deliveries'][number]): string | null =>
  url === null ? null : new URL(url).host

/** What went to and came from providers, the ledger and the endpoints. */
const ofTraffic = (history: History, loaded: LoadedPayment): Draft[][] => [
  history.inquiries.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `inquiry.${row.inquiry_id}`,
    kind: 'inquiry',
    attempt_no: row.attempt_no,
    summary: `asked about attempt ${row.attempt_no}: ${row.result}`,
    data: { result: row.result, detail: row.detail },
  })),
  history.webhooks.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `webhook.${row.provider}.${shortHash(row.dedupe_key)}`,
    kind: 'webhook',
    attempt_no: loaded.attempts.find(({ reference }) => reference === row.reference)?.attemptNo ?? null,
    summary: `${row.provider} says ${row.provider_status}: ${row.result}`,
    data: {
      provider: row.provider,
      provider_status: row.provider_status,
      result: row.result,
      verdict: row.verdict,
      dedupe_key: row.dedupe_key,
      reference: row.reference,
    },
  })),
  history.postings.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `posting.${shortHash(`${row.cause_id} ${row.kind}`)}`,
    kind: 'posting',
    summary: `${row.kind} (${row.phase}): ${row.debit_account} to ${row.credit_account}`,
    data: {
      kind: row.kind,
      phase: row.phase,
      debit_account: row.debit_account,
      credit_account: row.credit_account,
      ...amountOf(row),
    },
  })),
  history.events.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `event.${row.event_id}`,
    kind: 'event',
    summary: row.event_type,
    data: { event_type: row.event_type, event_id: row.event_id, sequence: row.sequence },
  })),
  history.deliveries.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `delivery.${row.delivery_id}`,
    kind: 'delivery',
    summary: `${row.event_type} to ${hostOf(row) ?? 'a deleted endpoint'}: ${row.status}`,
    data: {
      event_type: row.event_type,
      host: hostOf(row),
      delivery_id: row.delivery_id,
      webhook_id: row.webhook_id,
      event_id: row.event_id,
      status: row.status,
      next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
      attempts: row.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
    },
  })),
]

const ofConsequences = (history: History): Draft[][] => [
  history.reviews.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `review.${shortHash(row.user_id)}`,
    kind: 'review',
    userIds: [row.user_id],
    summary: (people) => `${people.join()} decided: ${row.decision}`,
    data: { decision: row.decision, comments: row.comments },
  })),
  history.refundReviews.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `review.${shortHash(`${row.refund_id} ${row.user_id}`)}`,
    kind: 'review',
    userIds: [row.user_id],
    summary: (people) => `${people.join()} decided about a refund: ${row.decision}`,
    data: { decision: row.decision, comments: row.comments, refund_id: row.refund_id },
  })),
  history.refunds.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `refund.${row.refund_id}`,
    kind: 'refund',
    userIds: [row.user_id],
    summary: `refund of ${formatMinor(BigInt(row.amount_minor), row.currency)} ${row.currency}: ${row.state}`,
    data: {
      ...amountOf(row),
      state: row.state,
      refund_id: row.refund_id,
      reference: row.reference,
      reason: row.reason,
    },
  })),
  history.disputes.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `dispute.${row.dispute_id}`,
    kind: 'dispute',
    summary: `dispute of ${formatMinor(BigInt(row.amount_minor), row.currency)} ${row.currency}: ${row.state}`,
    data: {
      ...amountOf(row),
      state: row.state,
      dispute_id: row.dispute_id,
      provider_ref: row.provider_ref,
      reason: row.reason,
      withdrawn: formatMinor(BigInt(row.withdrawn_minor), row.currency),
      due_by: row.due_by?.toISOString() ?? null,
    },
  })),
  history.exceptions.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `exception.${row.exception_id}`,
    kind: 'exception',
    summary: row.summary,
    data: { exception_id: row.exception_id, status: row.status, suggested_action: row.suggested_action },
  })),
]

/** What two people decided. */
export const describeDecisions = ({ resolutions, adjustments }: Decisions): Draft[][] => [
  resolutions.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `resolution.${row.resolution_id}`,
    kind: 'resolution',
    attempt_no: row.attempt_no,
    userIds: [row.proposed_by, row.approved_by],
    summary: (people) => `${people.join(' and ')} decided: ${row.outcome}`,
    data: {
      outcome: row.outcome,
      resolution_id: row.resolution_id,
      about: subjectOf(row),
      evidence: row.evidence,
      provider_reference: row.provider_reference,
    },
  })),
  adjustments.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `adjustment.${row.adjustment_id}`,
    kind: 'adjustment',
    userIds: [row.proposed_by, row.approved_by],
    summary: (people) => `${people.join(' and ')} adjusted: ${row.debit_account} to ${row.credit_account}`,
    data: {
      adjustment_id: row.adjustment_id,
      debit_account: row.debit_account,
      credit_account: row.credit_account,
      ...amountOf(row),
      reason: row.reason,
    },
  })),
]

const subjectOf = (row: Decisions['resolutions'][number]): string => {
  if (row.refund_id !== null) return `refund ${row.refund_id}`
  return row.leg_no === null ? `attempt ${row.attempt_no}` : `leg ${row.leg_no}`
}
