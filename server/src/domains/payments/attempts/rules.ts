const second = 1_000
const minute = 60 * second

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

/** The delay before each poll of an open payment or refund, by the number of polls so far. */
export interface PollSchedule {
  /** While the outcome is unknown. */
  unknownMs: readonly number[]
  /** While the provider or the customer must act; webhooks usually arrive first. */
  acceptedMs: readonly number[]
  refundFirstMs: number
  refundMs: readonly number[]
}

export const defaultPollSchedule: PollSchedule = {
  unknownMs: [second, 5 * second, 15 * second, minute, 5 * minute],
  acceptedMs: [10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute],
  refundFirstMs: 30 * second,
  refundMs: [5 * second, 30 * second, minute, 5 * minute, 30 * minute],
}
