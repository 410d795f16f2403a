const second = 1_000
const minute = 60 * second

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
