import type { Share } from '../milestones/record.ts'

const minute = 60_000

/** Before each further try of a share. After the last one a person is told. */
export const defaultPayoutRetriesMs: readonly number[] = [minute, 10 * minute]

export const payoutReturned = 'PAYOUT_RETURNED'
export const payoutRejected = 'PAYOUT_REJECTED'
export const payoutCanceled = 'PAYOUT_CANCELED'

/** A person decided these, or the money has been there and came back: trying again by itself would not help. */
const finalFailures: ReadonlySet<string | null> = new Set([payoutReturned, payoutRejected, payoutCanceled])

/** When a share that failed is tried again; undefined when a person must look at it. */
export function retryAtOf(
  share: Pick<Share, 'tries' | 'failureCode' | 'isPaidLate'>,
  retriesMs: readonly number[],
  now: Date,
): Date | undefined {
  if (share.isPaidLate || finalFailures.has(share.failureCode)) return undefined
  const delayMs = retriesMs[share.tries - 1]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}
