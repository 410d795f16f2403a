import { isStaleVersion } from '../../db/errors.ts'
import type { Connector, Inquiry } from '../../connectors/kit/connector.ts'
import { notFoundWindow } from '../provider-accounts/rules.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { applyFact } from './attempts/apply-fact.ts'
import { openDetails, toConnectorAttempt } from './attempts/build-request.ts'
import { newAttempt } from './attempts/prepare-attempt.ts'
import { readInquiry } from './attempts/read-inquiry.ts'
import { sendAttempts } from './attempts/send-attempts.ts'
import { insertAttempt } from './attempts/store.ts'
import { exceptionTexts } from './errors.ts'
import { loadPayment } from './get-payment.ts'
import {
  openAttempt,
  untriedRoutes,
  type LoadedPayment,
  type PaymentDeps,
  type StoredAttempt,
} from './record.ts'
import { isSettled, type Fact } from './rules.ts'
import { updatePayment } from './store.ts'

export interface Progress {
  loaded: LoadedPayment
  /** When to poll next; undefined once the payment has ended, or has been handed over to manual review. */
  nextPollMs: number | undefined
}

/** The provider's id from an unverified webhook: good enough to inquire with, not to decide on. */
interface Hint {
  attemptNo: number
  providerRef: string | null
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const latePollMs = 30 * minute
const unknownLimitMs = 24 * hour
const acceptedLimitMs = 7 * 24 * hour

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
    const leftMs = attempt.deadlineAt.getTime() - deps.clock.now().getTime()
    if (leftMs > 0) return { loaded, nextPollMs: leftMs + second }
    // The sender died and may have sent it first: the outcome is unknown, and it must not be sent again.
    const fact: Fact = { kind: 'unknown', reason: 'the sender stopped before it could write the outcome' }
    const marked = await applyFact(deps, loaded, fact, { attemptNo: attempt.attemptNo, canSend: false })
    return pollProvider(deps, marked, input.hint)
  }
  return pollProvider(deps, loaded, input.hint)
}

/** Asks outside the schedule, for a page that waits. It neither counts as a scheduled inquiry nor tries another route. */
export const askNow = async (deps: PaymentDeps, loaded: LoadedPayment): Promise<LoadedPayment> =>
  (await pollProvider(deps, loaded, 'page')).loaded

async function pollProvider(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  trigger: Hint | 'page' | undefined,
): Promise<Progress> {
  const hint = trigger === 'page' ? undefined : trigger
  const isScheduled = trigger === undefined
  const attempt = openAttempt(loaded)
  if (!attempt) return { loaded, nextPollMs: isSettled(loaded.payment.status) ? undefined : second }
  const connector = await deps.connectors.load(loaded.payment.orgId, attempt.accountId)
  const inquiry: Inquiry = connector
    ? await inquire(deps, connector, loaded, withHint(attempt, hint))
    : { kind: 'unknown', reason: 'the provider has no credentials' }
  const { fact, notFoundCount } = readInquiry(inquiry, attempt, {
    now: deps.clock.now(),
    notFoundFinalAfterMs: notFoundWindow(connector, attempt.createdAt),
    isScheduled,
  })
  const after = await applyFact(deps, loaded, fact, {
    attemptNo: attempt.attemptNo,
    canSend: loaded.payment.method !== 'card',
    inquiry: {
      result: inquiry.kind,
      detail: detailOf(inquiry),
      isScheduled,
      ...(isScheduled && { notFoundCount }),
    },
  })
  if (!after.following) return scheduleNextPoll(deps, after)
  const details = await openDetails(deps, after.payment)
  return scheduleNextPoll(deps, await sendAttempts(deps, after, { details, card: undefined }))
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
  const route = untriedRoutes(loaded)[0]
  if (payment.status === 'initiated' || payment.status === 'reviewed' || !route)
    return { loaded, nextPollMs: undefined }
  const now = deps.clock.now()
  const attempt = newAttempt(loaded, route, { ...deps, now })
  const written = { ...payment, version: payment.version + 1, updatedAt: now }
  try {
    await deps.db.batchInOrg(payment.orgId, [
      updatePayment(payment.orgId, payment.version, written),
      insertAttempt(payment.orgId, payment.paymentId, attempt),
    ])
  } catch (error) {
    if (isStaleVersion(error)) return { loaded, nextPollMs: second }
    throw error
  }
  const prepared = { payment: written, attempts: [...loaded.attempts, attempt] }
  const details = await openDetails(deps, payment)
  return scheduleNextPoll(deps, await sendAttempts(deps, prepared, { details, card: undefined }))
}

/** Polls ever more rarely, and raises an exception for manual review when polling has not helped for too long. */
async function scheduleNextPoll(deps: PaymentDeps, loaded: LoadedPayment): Promise<Progress> {
  const attempt = openAttempt(loaded)
  if (isSettled(loaded.payment.status) || !attempt) return { loaded, nextPollMs: undefined }
  const ageMs = deps.clock.now().getTime() - attempt.createdAt.getTime()
  const isUnknown = attempt.state === 'unknown'
  if (ageMs < (isUnknown ? unknownLimitMs : acceptedLimitMs)) {
    const pollsMs = isUnknown ? deps.pollSchedule.unknownMs : deps.pollSchedule.acceptedMs
    return { loaded, nextPollMs: pollsMs[attempt.inquiries] ?? latePollMs }
  }
  const kind = isUnknown ? 'outcome_unknown' : 'pending_too_long'
  const { orgId, paymentId } = loaded.payment
  await deps.db.batchInOrg(orgId, [
    insertException(orgId, {
      kind,
      paymentId,
      provider: attempt.provider,
      findingKey: `${kind} ${paymentId} ${attempt.attemptNo}`,
      ...exceptionTexts[kind],
    }),
  ])
  return { loaded, nextPollMs: undefined }
}
