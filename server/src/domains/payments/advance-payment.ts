import { isStale } from '../../db/errors.ts'
import type { Connector, Inquiry } from '../../connectors/kit/connector.ts'
import { notFound } from '../../lib/errors.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { applyFact } from './attempts/apply-fact.ts'
import { exceptionTexts } from './errors.ts'
import { newAttempt } from './attempts/prepare-attempt.ts'
import { openAttempt, untriedRoutes, type LoadedPayment, type StoredAttempt } from './record.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { readInquiry } from './attempts/read-inquiry.ts'
import { isSettled, type Fact } from './rules.ts'
import { attemptView, openDetails, sendAttempts } from './attempts/send-attempt.ts'
import { findPayment, insertAttempt, updatePayment } from './store.ts'

export interface Progress {
  loaded: LoadedPayment
  /** When to look again; undefined when nothing more is expected, or a person has been told. */
  nextPollMs: number | undefined
}

/** What an unsigned webhook said of an attempt: worth asking about, and no more. */
export interface Hint {
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
 * The only way a payment moves: looks at the record, takes the next safe step, writes the result. The engine
 * calls it as long as a payment is open, so a crash anywhere is only a later call.
 */
export async function advancePayment(
  deps: PaymentDeps,
  input: { orgId: string; paymentId: string; hint?: Hint },
): Promise<Progress> {
  const loaded = await deps.db.inOrg(input.orgId, (tx) => findPayment(tx, input.orgId, input.paymentId))
  if (!loaded) throw notFound('The payment')
  if (isSettled(loaded.payment.status)) return { loaded, nextPollMs: undefined }
  const attempt = openAttempt(loaded)
  if (!attempt) return startNext(deps, loaded)
  if (attempt.state === 'sending') {
    const leftMs = attempt.deadlineAt.getTime() - deps.clock.now().getTime()
    if (leftMs > 0) return { loaded, nextPollMs: leftMs + second }
    // Whoever was sending is gone, and may have sent: found `sending` means unknown, never "send again".
    const fact: Fact = { kind: 'unknown', reason: 'the sender stopped before it could write the outcome' }
    const marked = await applyFact(deps, loaded, fact, { attemptNo: attempt.attemptNo, canSend: false })
    return pollProvider(deps, marked, input.hint)
  }
  return pollProvider(deps, loaded, input.hint)
}

/** Asks the provider about the open attempt and goes on from there. */
async function pollProvider(deps: PaymentDeps, loaded: LoadedPayment, hint?: Hint): Promise<Progress> {
  const attempt = openAttempt(loaded)
  if (!attempt) return { loaded, nextPollMs: isSettled(loaded.payment.status) ? undefined : second }
  const connector = await deps.connectors.load(loaded.payment.orgId, attempt.provider)
  const inquiry: Inquiry = connector
    ? await ask(deps, connector, loaded, hinted(attempt, hint))
    : { kind: 'unknown', reason: 'the provider has no credentials' }
  const { fact, notFoundCount } = readInquiry(inquiry, attempt, {
    now: deps.clock.now(),
    notFoundFinalAfterMs: connector?.notFoundFinalAfterMs,
  })
  const after = await applyFact(deps, loaded, fact, {
    attemptNo: attempt.attemptNo,
    canSend: loaded.payment.method !== 'card',
    inquiry: { result: inquiry.kind, detail: detailOf(inquiry), notFoundCount },
  })
  if (after.following) {
    const details = await openDetails(deps, after.payment)
    return settle(deps, await sendAttempts(deps, after, { details, memory: {} }))
  }
  return settle(deps, after)
}

/** After a lost answer the provider's own id may be known from a webhook only. */
const hinted = (attempt: StoredAttempt, hint: Hint | undefined): StoredAttempt =>
  hint?.providerRef && hint.attemptNo === attempt.attemptNo
    ? { ...attempt, providerRef: hint.providerRef }
    : attempt

async function ask(
  deps: PaymentDeps,
  connector: Connector,
  loaded: LoadedPayment,
  attempt: StoredAttempt,
): Promise<Inquiry> {
  try {
    return await connector.inquire(attemptView(loaded.payment, attempt))
  } catch (error) {
    deps.log.error(
      { err: error, provider: attempt.provider, paymentId: loaded.payment.paymentId },
      'an inquiry threw',
    )
    return { kind: 'unknown', reason: 'the inquiry failed' }
  }
}

const detailOf = (inquiry: Inquiry): string | null => {
  if (inquiry.kind === 'unknown') return inquiry.reason
  return inquiry.kind === 'accepted' ? `${inquiry.state.state} (${inquiry.providerStatus})` : null
}

/** An approved payment, or one whose sender died between two routes: the next route is written, then sent. */
async function startNext(deps: PaymentDeps, loaded: LoadedPayment): Promise<Progress> {
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
    if (isStale(error)) return { loaded, nextPollMs: second }
    throw error
  }
  const prepared = { payment: written, attempts: [...loaded.attempts, attempt] }
  const details = await openDetails(deps, payment)
  return settle(deps, await sendAttempts(deps, prepared, { details, memory: {} }))
}

/** When to look again, or whom to tell that looking has not helped. */
async function settle(deps: PaymentDeps, loaded: LoadedPayment): Promise<Progress> {
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
