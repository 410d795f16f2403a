import type { AfterDecline } from '../../routing/policies/record.ts'
import type { AttemptState, Fact } from '../lifecycle/rules.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

/** How often a customer's pages may ask the provider about one attempt, and how long they wait in between. */
const pageInquiriesLimit = 40
const firstPageIntervalMs = 3 * second
const pageIntervalGrowth = 1.25
const longestPageIntervalMs = minute

/** The pages pass the parameters of a return on at once, because the provider needs them to continue. */
export const forwardedReturnsLimit = 10

interface AskedAttempt {
  pageInquiries: number
  pageInquiredAt: Date | null
  updatedAt: Date
}

/** A page asks when the attempt has been quiet, ever more rarely, and only so often. */
export const isPageInquiryDue = (attempt: AskedAttempt, now: Date): boolean => {
  const leftMs = pageInquiryInMs(attempt, now)
  return leftMs !== undefined && leftMs < 0
}

/** How long until a page asks, negative once it is due, and undefined if pages have asked often enough. */
export function pageInquiryInMs(attempt: AskedAttempt, now: Date): number | undefined {
  const { pageInquiries, pageInquiredAt, updatedAt } = attempt
  if (pageInquiries >= pageInquiriesLimit) return undefined
  const intervalMs = Math.min(
    firstPageIntervalMs * pageIntervalGrowth ** pageInquiries,
    longestPageIntervalMs,
  )
  const quietAtMs = updatedAt.getTime() + firstPageIntervalMs
  const askedAtMs = pageInquiredAt === null ? quietAtMs : pageInquiredAt.getTime() + intervalMs
  return Math.max(quietAtMs, askedAtMs) - now.getTime()
}

/** The provider has had its normal time to report the outcome. An attempt that is being sent has a deadline of its own. */
export function isInDoubt(
  attempt: { state: AttemptState; createdAt: Date },
  { pollSchedule, now }: { pollSchedule: PollSchedule; now: Date },
): boolean {
  const ageMs = now.getTime() - attempt.createdAt.getTime()
  if (attempt.state === 'unknown') return ageMs >= pollSchedule.unknownLimitMs
  return attempt.state === 'accepted' && ageMs >= pollSchedule.acceptedLimitMs
}

/** An open exception about an attempt is raised once. */
export const findingKeyOf = (kind: string, paymentId: string, attemptNo: number): string =>
  `${kind} ${paymentId} ${attemptNo}`

/** The delay before each poll of an open payment or refund, by the number of polls so far. */
export interface PollSchedule {
  /** While the outcome is unknown. */
  unknownMs: readonly number[]
  /** While the provider or the customer must act; webhooks usually arrive first. */
  acceptedMs: readonly number[]
  refundFirstMs: number
  refundMs: readonly number[]
  /** From these ages on an open attempt, leg or refund is in doubt: it is raised, and people may decide about it. */
  unknownLimitMs: number
  acceptedLimitMs: number
  refundLimitMs: number
  /** Between the polls of what is in doubt, which never end. */
  doubtMs: number
  /** Before each repetition of a declined route that the routing policy asks for; there are no more than these. */
  repeatMs: readonly number[]
  /** Until something that a suspension holds back is tried again. */
  suspendedMs: number
}

const latePollMs = 30 * minute

/** The delay before the next scheduled poll of an open attempt. */
export function pollDelayMs(
  attempt: { state: AttemptState; inquiries: number; createdAt: Date },
  at: { pollSchedule: PollSchedule; now: Date },
): number {
  if (isInDoubt(attempt, at)) return at.pollSchedule.doubtMs
  const pollsMs = attempt.state === 'unknown' ? at.pollSchedule.unknownMs : at.pollSchedule.acceptedMs
  return pollsMs[attempt.inquiries] ?? latePollMs
}

export const defaultPollSchedule: PollSchedule = {
  unknownMs: [second, 5 * second, 15 * second, minute, 5 * minute],
  acceptedMs: [10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute],
  refundFirstMs: 30 * second,
  refundMs: [5 * second, 30 * second, minute, 5 * minute, 30 * minute],
  unknownLimitMs: day,
  acceptedLimitMs: 7 * day,
  refundLimitMs: 14 * day,
  doubtMs: day,
  repeatMs: [minute, 5 * minute],
  suspendedMs: 15 * second,
}

/**
 * The rule of the routing policy for a decline replaces the suggestion of the connector. A decline is definite, so nothing
 * has moved; `decide` still asks no second provider once the customer was asked.
 */
export function adjustFallback(
  { fallback = {} }: { fallback?: Readonly<Record<string, AfterDecline | undefined>> | undefined },
  fact: Fact | undefined,
): Fact | undefined {
  if (fact?.kind !== 'declined') return fact
  const { code } = fact.failure
  const then = Object.hasOwn(fallback, code) ? fallback[code] : undefined
  if (then === undefined) return fact
  return then === 'later' ? { ...fact, isRepeated: true } : { ...fact, fallback: then === 'next' }
}

/**
 * Connectors append later ids to the provider's id, after a slash, and the longer form is stored. A hint
 * may extend a known id but never replaces it: it comes from an unverified message.
 */
export function mergeProviderRef(
  known: string | null,
  { verified, hinted }: { verified: string | null; hinted: string | null },
): string | null {
  if (verified !== null) return known?.startsWith(`${verified}/`) === true ? known : verified
  const mayTakeHint = known === null || hinted?.startsWith(`${known}/`) === true
  return mayTakeHint ? hinted : known
}
