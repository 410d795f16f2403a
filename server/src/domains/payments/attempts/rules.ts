const second = 1_000
const minute = 60 * second

/** When an open payment or refund is looked at again, by how often it has been; after the last one, rarely. */
export interface PollSchedule {
  /** While the outcome is unknown: soon, then ever more rarely. */
  unknownMs: readonly number[]
  /** While somebody outside must act, webhooks come first and looks are the net under them. */
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
