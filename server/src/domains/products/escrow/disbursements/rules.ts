import type { Share } from '../milestones/record.ts'

const minute = 60_000

/** Delays before each retry of a share. After the last one an exception is raised. */
export const defaultPayoutRetriesMs: readonly number[] = [minute, 10 * minute]

export const payoutReturned = 'PAYOUT_RETURNED'
export const payoutRejected = 'PAYOUT_REJECTED'
export const payoutCanceled = 'PAYOUT_CANCELED'

/** Failures decided by a person, or payouts that came back: retrying would not help. */
const finalFailures: ReadonlySet<string | null> = new Set([payoutReturned, payoutRejected, payoutCanceled])

/** When to retry a failed share; undefined when it needs manual review. */
export function retryAtOf(
  share: Pick<Share, 'tries' | 'failureCode' | 'isPaidLate'>,
  retriesMs: readonly number[],
  now: Date,
): Date | undefined {
  if (share.isPaidLate || finalFailures.has(share.failureCode)) return undefined
  const delayMs = retriesMs[share.tries - 1]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}
