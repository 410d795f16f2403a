import type { AttemptState } from '../rules.ts'

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

/** A page asks when the attempt has been quiet, ever more rarely, and only so often. */
export function isPageInquiryDue(
  attempt: { pageInquiries: number; pageInquiredAt: Date | null; updatedAt: Date },
  now: Date,
): boolean {
  const { pageInquiries, pageInquiredAt, updatedAt } = attempt
  if (pageInquiries >= pageInquiriesLimit) return false
  if (now.getTime() - updatedAt.getTime() <= firstPageIntervalMs) return false
  const intervalMs = Math.min(
    firstPageIntervalMs * pageIntervalGrowth ** pageInquiries,
    longestPageIntervalMs,
  )
  return pageInquiredAt === null || now.getTime() - pageInquiredAt.getTime() > intervalMs
}

/** The provider has had its normal time to tell the outcome. What is still being sent has a deadline of its own. */
export function isInDoubt(
  attempt: { state: AttemptState; createdAt: Date },
  { pollSchedule, now }: { pollSchedule: PollSchedule; now: Date },
): boolean {
  const ageMs = now.getTime() - attempt.createdAt.getTime()
  if (attempt.state === 'unknown') return ageMs >= pollSchedule.unknownLimitMs
  return attempt.state === 'accepted' && ageMs >= pollSchedule.acceptedLimitMs
}

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
}
