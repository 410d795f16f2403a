import { createHash } from 'node:crypto'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Caller } from '../../../lib/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { formatMinor } from '../../../lib/money.ts'
import { listNamesIn } from '../../organizations/members/list-names.ts'
import { pollDelayMs, type PollSchedule } from '../attempts/rules.ts'
import { loadPayment } from '../get-payment.ts'
import { openAttempt, type LoadedPayment, type StoredAttempt } from '../record.ts'
import { isSettled } from '../rules.ts'
import { describeRamp } from './describe-ramp.ts'
import type { Draft } from './record.ts'
import type { Timeline, TimelineEntry } from './schema.ts'
import {
  findFirstPoll,
  rowsLimit,
  selectDecisions,
  selectHistory,
  selectRamp,
  type Decisions,
  type History,
} from './store.ts'

export interface TimelineDeps {
  db: Database
  clock: Clock
  pollSchedule: PollSchedule
  vault: Vault
}

const second = 1_000

/** Merges the request, routing, attempts, inquiries, webhooks, postings and events of a payment, oldest first. */
export async function getTimeline(
  deps: TimelineDeps,
  { orgId }: Caller,
  { paymentId }: { paymentId: string },
): Promise<Timeline> {
  const loaded = await loadPayment(deps, orgId, paymentId)
  return deps.db.inOrg(orgId, async (tx) => {
    const [history, decisions, ramp, firstPoll] = await Promise.all([
      selectHistory(tx, orgId, paymentId),
      selectDecisions(tx, orgId, paymentId),
      selectRamp(tx, orgId, paymentId),
      findFirstPoll(tx, orgId, paymentId),
    ])
    const kinds = [...ofHistory(history, loaded), ...ofConsequences(history), ...ofDecisions(decisions)]
    const drafts = [
      ...ofPayment(loaded),
      ...(await describeRamp(deps, loaded.payment, ramp)),
      ...kinds.flatMap((drafted) => drafted.slice(0, rowsLimit).reverse()),
    ]
    const names = await listNamesIn(
      tx,
      orgId,
      drafts.flatMap((draft) => draft.userIds ?? []),
    )
    const truncated = kinds
      .flatMap((drafted) => drafted.slice(rowsLimit, rowsLimit + 1))
      .map(({ kind }) => kind)
    return {
      data: drafts.map((draft) => toEntry(draft, names)).sort((a, b) => a.at.localeCompare(b.at)),
      meta: {
        count: drafts.length,
        truncated: truncated.length > 0,
        truncated_kinds: truncated,
        next_poll_at: nextPollAt(deps, loaded, { firstPoll, history })?.toISOString() ?? null,
      },
    }
  })
}

function toEntry(
  { userIds = [], attempt_no = null, summary, ...draft }: Draft,
  names: ReadonlyMap<string, string>,
): TimelineEntry {
  const people = userIds.map((userId) => names.get(userId) ?? userId)
  return {
    ...draft,
    attempt_no,
    actors: userIds.map((userId) => ({ user_id: userId, name: names.get(userId) ?? null })),
    summary: typeof summary === 'string' ? summary : summary(people),
  }
}

/** The engine's own schedule, from the last inquiry on. It does not poll what waits for an approval. */
function nextPollAt(
  { clock, pollSchedule }: TimelineDeps,
  loaded: LoadedPayment,
  { firstPoll, history }: { firstPoll: Date | undefined; history: History },
): Date | undefined {
  const attempt = openAttempt(loaded)
  if (isSettled(loaded.payment.status) || loaded.payment.direction === 'external' || !attempt)
    return undefined
  if (firstPoll) return firstPoll
  if (attempt.state === 'sending') return new Date(attempt.deadlineAt.getTime() + second)
  const since = history.inquiries[0]?.created_at ?? attempt.updatedAt
  return new Date(since.getTime() + pollDelayMs(attempt, { pollSchedule, now: clock.now() }))
}

/** For keys that are no plain words, such as a provider's. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

function ofPayment({ payment, attempts }: LoadedPayment): Draft[] {
  const { source, target } = payment
  return [
    {
      entry_id: 'request',
      at: payment.createdAt.toISOString(),
      kind: 'request',
      userIds: [payment.userId],
      summary: `${payment.direction} of ${formatMinor(source.amountMinor, source.currency)} ${source.currency} by ${payment.method}`,
      data: {
        request_id: payment.requestId,
        user_id: payment.userId,
        target_currency: target.currency,
        country: payment.country,
      },
    },
    {
      entry_id: 'routing',
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
    ...attempts.map(ofAttempt),
  ]
}

const ofAttempt = (attempt: StoredAttempt): Draft => ({
  entry_id: `attempt.${attempt.attemptNo}`,
  at: attempt.createdAt.toISOString(),
  kind: 'attempt',
  attempt_no: attempt.attemptNo,
  summary: `attempt ${attempt.attemptNo} at ${attempt.provider}: ${attempt.state}`,
  data: {
    provider: attempt.provider,
    state: attempt.state,
    states: statesOf(attempt),
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
})

/** Of an attempt from before its states were stored, the first and the last are known. */
function statesOf(attempt: StoredAttempt): { state: string; at: string }[] {
  const first = { state: 'sending', at: attempt.createdAt.toISOString() }
  if (attempt.stateChanges) return [first, ...attempt.stateChanges]
  return attempt.state === 'sending'
    ? [first]
    : [first, { state: attempt.state, at: attempt.updatedAt.toISOString() }]
}

/** One list for each kind, the newest first, as the rows were read. */
const ofHistory = (history: History, loaded: LoadedPayment): Draft[][] => [
  history.inquiries.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `inquiry.${row.inquiry_id}`,
    kind: 'inquiry',
    attempt_no: row.attempt_no,
    summary: `asked about attempt ${row.attempt_no}: ${row.result}`,
    data: { detail: row.detail },
  })),
  history.webhooks.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `webhook.${row.provider}.${shortHash(row.dedupe_key)}`,
    kind: 'webhook',
    attempt_no: loaded.attempts.find(({ reference }) => reference === row.reference)?.attemptNo ?? null,
    summary: `${row.provider} says ${row.provider_status}: ${row.result}`,
    data: { verdict: row.verdict, dedupe_key: row.dedupe_key, reference: row.reference },
  })),
  history.postings.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `posting.${shortHash(`${row.cause_id} ${row.kind}`)}`,
    kind: 'posting',
    summary: `${row.kind} (${row.phase}): ${row.debit_account} to ${row.credit_account}`,
    data: { amount: formatMinor(BigInt(row.amount_minor), row.currency), currency: row.currency },
  })),
  history.events.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `event.${row.event_id}`,
    kind: 'event',
    summary: row.event_type,
    data: { event_id: row.event_id, sequence: row.sequence },
  })),
  history.deliveries.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `delivery.${row.delivery_id}`,
    kind: 'delivery',
    // The path of an endpoint may hold a secret.
    summary: `${row.event_type} to ${row.endpoint_url === null ? 'a deleted endpoint' : new URL(row.endpoint_url).host}: ${row.status}`,
    data: {
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
    data: { comments: row.comments },
  })),
  history.refunds.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `refund.${row.refund_id}`,
    kind: 'refund',
    userIds: [row.user_id],
    summary: `refund of ${formatMinor(BigInt(row.amount_minor), row.currency)} ${row.currency}: ${row.state}`,
    data: { refund_id: row.refund_id, reference: row.reference, reason: row.reason },
  })),
  history.disputes.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `dispute.${row.dispute_id}`,
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
  history.exceptions.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `exception.${row.exception_id}`,
    kind: 'exception',
    summary: row.summary,
    data: { exception_id: row.exception_id, status: row.status, suggested_action: row.suggested_action },
  })),
]

/** What two people decided. */
const ofDecisions = ({ resolutions, adjustments }: Decisions): Draft[][] => [
  resolutions.map((row): Draft => ({
    at: row.created_at.toISOString(),
    entry_id: `resolution.${row.resolution_id}`,
    kind: 'resolution',
    attempt_no: row.attempt_no,
    userIds: [row.proposed_by, row.approved_by],
    summary: (people) => `${people.join(' and ')} decided: ${row.outcome}`,
    data: {
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
