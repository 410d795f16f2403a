import { listArchivedSince } from '../../../../kernel/db/archive/archived.ts'
import type { GrowingTable } from '../../../../kernel/db/archive/growing-tables.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { formatMinor } from '../../../../lib/money/money.ts'
import { listNamesIn } from '../../../people/organizations/members/reads.ts'
import { pollDelayMs, type PollSchedule } from '../../attempts/rules.ts'
import { loadPayment } from '../get-payment.ts'
import { hiddenFrom, removeFrom, removeReferences } from '../remove-references.ts'
import { describeRouting, inTriedOrder, toDecision, toFigures } from '../../initiation/show-decision.ts'
import { openAttempt, type LoadedPayment, type StoredAttempt } from '../../record.ts'
import { isSettled } from '../../lifecycle/rules.ts'
import { describeDecisions, describeHistory } from './describe-history.ts'
import { describeRamp } from './describe-ramp.ts'
import type { Draft } from './record.ts'
import type { Timeline, TimelineEntry } from './schema.ts'
import {
  findFirstPoll,
  rowsLimit,
  selectDecisions,
  selectHistory,
  selectRamp,
  type History,
} from './store.ts'

export interface TimelineDeps {
  db: Database
  clock: Clock
  pollSchedule: PollSchedule
  vault: Vault
}

const second = 1_000

/** The kinds of entries that are read from a table whose months are archived. Deliveries are found by their events. */
const kindsIn: Readonly<Partial<Record<GrowingTable, TimelineEntry['kind'][]>>> = {
  events: ['event', 'delivery'],
  inquiries: ['inquiry'],
}

/** Merges the request, routing, attempts, inquiries, webhooks, postings and events of a payment, oldest first. */
export async function getTimeline(
  deps: TimelineDeps,
  caller: Caller,
  { paymentId }: { paymentId: string },
): Promise<Timeline> {
  const { orgId } = caller
  const loaded = await loadPayment(deps, orgId, paymentId)
  return deps.db.inOrg(orgId, async (tx) => {
    const [history, decisions, ramp, firstPoll, archived] = await Promise.all([
      selectHistory(tx, orgId, paymentId),
      selectDecisions(tx, orgId, paymentId),
      selectRamp(tx, orgId, paymentId),
      findFirstPoll(tx, orgId, paymentId),
      listArchivedSince(tx, paymentId),
    ])
    const kinds = [...describeHistory(history, loaded), ...describeDecisions(decisions)]
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
    const hidden = hiddenFrom(caller, [...loaded.attempts, ...history.refunds, ...ramp.legs])
    const hide = (entry: TimelineEntry): TimelineEntry => ({
      ...entry,
      summary: removeFrom(entry.summary, hidden) ?? '',
      data: removeReferences(entry.data, hidden) as TimelineEntry['data'], // an object stays one
    })
    const truncated = kinds
      .flatMap((drafted) => drafted.slice(rowsLimit, rowsLimit + 1))
      .map(({ kind }) => kind)
    return {
      data: drafts.map((draft) => hide(toEntry(draft, names))).sort((a, b) => a.at.localeCompare(b.at)),
      meta: {
        count: drafts.length,
        truncated: truncated.length > 0,
        truncated_kinds: truncated,
        archived_kinds: archived.flatMap((table) => kindsIn[table] ?? []),
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
        direction: payment.direction,
        method: payment.method,
        amount: formatMinor(source.amountMinor, source.currency),
        currency: source.currency,
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
      summary: describeRouting(payment.routing),
      data: {
        considered: inTriedOrder(payment.routing).map(({ provider, configId, taken, reason, figures }) => ({
          provider,
          config_id: configId,
          taken,
          reason,
          ...(figures && { figures: toFigures(figures) }),
        })),
        ...(payment.routing.decision && { decision: toDecision(payment.routing) }),
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

const statesOf = (attempt: StoredAttempt): { state: string; at: string }[] => [
  { state: 'sending', at: attempt.createdAt.toISOString() },
  ...(attempt.stateChanges ?? []),
]
