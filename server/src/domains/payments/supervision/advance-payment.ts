import type { CompiledQuery } from 'kysely'
import { isStaleVersion } from '../../../kernel/db/errors.ts'
import type { Connector, Inquiry } from '../../../connectors/kit/connector.ts'
import type { Failure } from '../../../connectors/kit/state.ts'
import { notFoundWindow } from '../../providers/accounts/rules.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { openDetails, toConnectorAttempt } from '../attempts/build-request.ts'
import { failureOfUnsent } from '../attempts/plan-fact.ts'
import { readInquiry } from '../attempts/read-inquiry.ts'
import { findingKeyOf, isInDoubt, pollDelayMs } from '../attempts/rules.ts'
import { sendAttempts } from '../attempts/send-attempts.ts'
import { sanctioned } from '../../compliance/suspensions/errors.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { exceptionTexts } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import {
  openAttempt,
  routeToRepeat,
  untriedRoutes,
  type LoadedPayment,
  type Payment,
  type PaymentDeps,
  type StoredAttempt,
} from '../record.ts'
import {
  cardDetailsUnavailable,
  isSettled,
  rateGone,
  verificationGone,
  type Fact,
} from '../lifecycle/rules.ts'
import { updatePayment } from '../store.ts'
import { writeNextAttempt } from './write-next-attempt.ts'

export interface Progress {
  loaded: LoadedPayment
  /** When to poll next; undefined once the payment has ended, and while it waits for its approval. */
  nextPollMs: number | undefined
}

/** The provider's id from an unverified webhook: good enough to inquire with, not to decide on. */
interface Hint {
  attemptNo: number
  providerRef: string | null
}

const second = 1_000

/**
 * The engine's step: reads the payment, takes the next safe action, writes the result. The engine repeats it while
 * the payment is open, so a crash only delays it. Webhooks and people move a payment by applyFact and changeStatus.
 */
export async function advancePayment(
  deps: PaymentDeps,
  input: { orgId: string; paymentId: string; hint?: Hint },
): Promise<Progress> {
  const loaded = await loadPayment(deps, input.orgId, input.paymentId)
  if (isSettled(loaded.payment.status)) return { loaded, nextPollMs: undefined }
  const attempt = openAttempt(loaded)
  if (!attempt) return startNextAttempt(deps, loaded)
  if (attempt.state === 'sending') {
    const leftMs = attempt.deadlineAt.getTime() - (await deps.db.now()).getTime()
    // The provider may report the payment before it has answered the call that sent it.
    if (leftMs > 0 && input.hint) return pollProvider(deps, loaded, input.hint)
    if (leftMs > 0) return { loaded, nextPollMs: leftMs + second }
    return pollProvider(deps, await markUnknown(deps, loaded, attempt), input.hint)
  }
  return pollProvider(deps, loaded, input.hint)
}

/** The sender died and may have sent it first: the outcome is unknown, and it must not be sent again. */
function markUnknown(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  { attemptNo }: StoredAttempt,
): Promise<LoadedPayment> {
  const fact: Fact = { kind: 'unknown', reason: 'the sender stopped before it could write the outcome' }
  return applyFact(deps, loaded, fact, { attemptNo, canSend: false })
}

/** Inquires outside of the schedule, for a page that waits. It neither counts as a scheduled inquiry nor tries another route. */
export const inquireForPage = async (deps: PaymentDeps, loaded: LoadedPayment): Promise<LoadedPayment> =>
  (await pollProvider(deps, loaded, { requestedBy: 'page', extraStatements: [] })).loaded

/** Like inquireForPage, for a member. The inquiry is recorded whatever the provider answers, with the given rows. */
export async function inquireForMember(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  extraStatements: CompiledQuery[],
): Promise<LoadedPayment> {
  const attempt = openAttempt(loaded)
  const isLost = attempt?.state === 'sending' && attempt.deadlineAt <= (await deps.db.now())
  const sent = isLost ? await markUnknown(deps, loaded, attempt) : loaded
  return (await pollProvider(deps, sent, { requestedBy: 'member', extraStatements })).loaded
}

/** An inquiry outside of the schedule. */
interface UnscheduledInquiry {
  requestedBy: 'page' | 'member'
  extraStatements: CompiledQuery[]
}

async function pollProvider(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  trigger: Hint | UnscheduledInquiry | undefined,
): Promise<Progress> {
  const unscheduled = trigger && 'requestedBy' in trigger ? trigger : undefined
  const hint = trigger && 'requestedBy' in trigger ? undefined : trigger
  const isScheduled = trigger === undefined
  const attempt = openAttempt(loaded)
  if (!attempt) return { loaded, nextPollMs: isSettled(loaded.payment.status) ? undefined : second }
  const connector = await deps.connectors.load(loaded.payment.orgId, attempt.accountId)
  const now = await deps.db.now()
  const inquiry: Inquiry = connector
    ? await inquire(deps, connector, loaded, withHint(attempt, hint))
    : { kind: 'unknown', reason: 'the provider has no credentials' }
  const { fact, notFoundCount } = readInquiry(inquiry, attempt, {
    now,
    notFoundFinalAfterMs: notFoundWindow(connector, attempt.createdAt),
    isScheduled,
  })
  const after = await applyFact(deps, loaded, fact, {
    attemptNo: attempt.attemptNo,
    canSend: loaded.payment.method !== 'card' || loaded.payment.card === null,
    inquiry: {
      result: inquiry.kind,
      detail: detailOf(inquiry),
      isScheduled,
      ...(isScheduled && { notFoundCount }),
    },
    ...(unscheduled &&
      unscheduled.extraStatements.length > 0 && { extraStatements: unscheduled.extraStatements }),
  })
  if (!after.following) return scheduleNextPoll(deps, after)
  return sendAndSchedule(deps, after)
}

/** The payment is read again, for the times that the database has written. */
async function sendAndSchedule(deps: PaymentDeps, prepared: LoadedPayment): Promise<Progress> {
  const { orgId, paymentId } = prepared.payment
  const details = await openDetails(deps, prepared.payment)
  await sendAttempts(deps, prepared, { details, card: undefined })
  return scheduleNextPoll(deps, await loadPayment(deps, orgId, paymentId))
}

/** When the provider's answer was lost, a webhook is the only source of its id. */
const withHint = (attempt: StoredAttempt, hint: Hint | undefined): StoredAttempt =>
  hint?.providerRef && hint.attemptNo === attempt.attemptNo
    ? { ...attempt, providerRef: hint.providerRef }
    : attempt

export async function inquire(
  deps: PaymentDeps,
  connector: Connector,
  { payment }: LoadedPayment,
  attempt: StoredAttempt,
): Promise<Inquiry> {
  try {
    return await connector.inquire(toConnectorAttempt(payment, attempt))
  } catch (error) {
    deps.log.error(
      { err: error, provider: attempt.provider, paymentId: payment.paymentId },
      'an inquiry threw',
    )
    return { kind: 'unknown', reason: 'the inquiry failed' }
  }
}

export const detailOf = (inquiry: Inquiry): string | null => {
  if (inquiry.kind === 'unknown') return inquiry.reason
  return inquiry.kind === 'accepted' ? `${inquiry.state.state} (${inquiry.providerStatus})` : null
}

/** For an approved payment, or one whose sender died between two routes. The attempt is written before it is sent. */
async function startNextAttempt(deps: PaymentDeps, loaded: LoadedPayment): Promise<Progress> {
  const { payment } = loaded
  const repeated = routeToRepeat(loaded, deps.pollSchedule)
  const routes = repeated ? [repeated.route] : untriedRoutes(loaded)
  const isWaiting = payment.status === 'initiated' || payment.status === 'reviewed'
  if (isWaiting || loaded.attempts.length + routes.length === 0) return { loaded, nextPollMs: undefined }
  if (routes.length === 0) return end(deps, loaded, failureOfUnsent(loaded, payment.card === null))
  const repeatMs = repeated ? repeated.at.getTime() - (await deps.db.now()).getTime() : 0
  if (repeatMs > 0) return { loaded, nextPollMs: repeatMs }
  // The card was only in the memory of the process that got the request, and screening held the payment back then.
  if (payment.card !== null) return end(deps, loaded, cardDetailsUnavailable)
  const prepared = await writeNextAttempt(deps, loaded, routes)
  if (prepared === 'sanctioned') return end(deps, loaded, sanctioned)
  if (prepared === 'rate') return end(deps, loaded, rateGone)
  if (prepared === 'verification') return end(deps, loaded, verificationGone)
  if (prepared === 'closed') return end(deps, loaded, failureOfUnsent(loaded, payment.card === null))
  if (prepared === 'stale') return { loaded, nextPollMs: second }
  if (prepared === 'suspended') return { loaded, nextPollMs: deps.pollSchedule.suspendedMs }
  return sendAndSchedule(deps, prepared)
}

/** Ends a payment that has neither an open attempt nor a route left. */
async function end(deps: PaymentDeps, loaded: LoadedPayment, failure: Failure): Promise<Progress> {
  const patch = { failureCode: failure.code, failureMessage: failure.message }
  try {
    const ended = await changeStatus(deps, loaded, { status: 'failed', patch })
    return { loaded: ended, nextPollMs: undefined }
  } catch (error) {
    if (isStaleVersion(error)) return { loaded, nextPollMs: second }
    throw error
  }
}

/** Until the declined route is tried again, or the next one that a suspension holds back, or none is left. */
async function repeatDelayMs(deps: PaymentDeps, loaded: LoadedPayment): Promise<number> {
  if (routeToRepeat(loaded, deps.pollSchedule)) {
    // Read again for the time that the database has written.
    const stored = await loadPayment(deps, loaded.payment.orgId, loaded.payment.paymentId)
    const at = routeToRepeat(stored, deps.pollSchedule)?.at.getTime() ?? 0
    return Math.max(0, at - (await deps.db.now()).getTime())
  }
  return untriedRoutes(loaded).length > 0 ? deps.pollSchedule.suspendedMs : second
}

/** Polls ever more rarely. What is in doubt is raised for manual review, and polled for as long as it is open. */
async function scheduleNextPoll(deps: PaymentDeps, loaded: LoadedPayment): Promise<Progress> {
  const attempt = openAttempt(loaded)
  if (isSettled(loaded.payment.status)) return { loaded, nextPollMs: undefined }
  if (!attempt) return { loaded, nextPollMs: await repeatDelayMs(deps, loaded) }
  const at = { pollSchedule: deps.pollSchedule, now: await deps.db.now() }
  const nextPollMs = pollDelayMs(attempt, at)
  if (!isInDoubt(attempt, at)) return { loaded, nextPollMs }
  const kind = attempt.state === 'unknown' ? 'outcome_unknown' : 'pending_too_long'
  const isRaised = await raiseDoubt(deps, loaded.payment, {
    kind,
    paymentId: loaded.payment.paymentId,
    provider: attempt.provider,
    findingKey: findingKeyOf(kind, loaded.payment.paymentId, attempt.attemptNo),
    ...exceptionTexts[kind],
  })
  if (isRaised) return { loaded, nextPollMs }
  return scheduleNextPoll(deps, await loadPayment(deps, loaded.payment.orgId, loaded.payment.paymentId))
}

/** Fenced: the exception of a payment that has ended in between would stay open. */
async function raiseDoubt(deps: PaymentDeps, payment: Payment, exception: NewException): Promise<boolean> {
  const { orgId, version } = payment
  try {
    await deps.db.batchInOrg(orgId, [
      updatePayment(orgId, version, { ...payment, version: version + 1 }),
      insertException(orgId, exception),
    ])
    return true
  } catch (error) {
    if (isStaleVersion(error)) return false
    throw error
  }
}
