import { formatScaled, parseScaled } from '../../../../lib/money/money.ts'
import { trimDecimals } from '../../../../lib/text/trim.ts'

export const milestoneStatuses = [
  'pending',
  'submitted',
  'approved',
  'disbursing',
  'disbursed',
  'canceled',
] as const
export type MilestoneStatus = (typeof milestoneStatuses)[number]

/** `disbursed` goes back to `disbursing` when a completed payout is returned. */
export const transitions: Readonly<Record<MilestoneStatus, readonly MilestoneStatus[]>> = {
  pending: ['submitted', 'canceled'],
  submitted: ['approved', 'canceled'],
  approved: ['disbursing', 'canceled'],
  disbursing: ['disbursed', 'canceled'],
  disbursed: ['disbursing'],
  canceled: [],
}

export const canMove = (from: MilestoneStatus, to: MilestoneStatus): boolean => transitions[from].includes(to)

/** Splits and coverage can change until the disbursement is ordered. */
export const isOpen = (status: MilestoneStatus): boolean =>
  status === 'pending' || status === 'submitted' || status === 'approved'

export type SplitType = 'percentage' | 'fixed'

export interface Split {
  partyId: string
  type: SplitType
  /** Minor units when fixed, millionths of a percent otherwise. */
  value: bigint
}

const percentDecimals = 6
const wholePercent = 100n * 10n ** BigInt(percentDecimals)

/** Undefined when it has more than six decimals. */
export const parsePercent = (value: number): bigint | undefined => parseScaled(String(value), percentDecimals)

/** Drops trailing zeros but keeps at least one decimal: 33.3, 50.0. */
export const formatPercent = (value: bigint): string => trimDecimals(formatScaled(value, percentDecimals), 1)

const sumOf = (splits: readonly Split[], type: SplitType): bigint =>
  splits.reduce((sum, split) => (split.type === type ? sum + split.value : sum), 0n)

export type SplitProblem =
  | 'percentages_over_100'
  | 'fixed_over_amount'
  | 'percentages_not_100'
  | 'fixed_not_amount'

/** A problem that is refused at any time. */
export function excessOf(amountMinor: bigint, splits: readonly Split[]): SplitProblem | undefined {
  if (sumOf(splits, 'percentage') > wholePercent) return 'percentages_over_100'
  return sumOf(splits, 'fixed') > amountMinor ? 'fixed_over_amount' : undefined
}

/** A problem that prevents disbursing: fixed amounts come first, and percentages must divide the whole rest. */
export function incompletenessOf(amountMinor: bigint, splits: readonly Split[]): SplitProblem | undefined {
  const excess = excessOf(amountMinor, splits)
  if (excess) return excess
  const percentages = sumOf(splits, 'percentage')
  if (percentages === wholePercent) return undefined
  if (percentages > 0n) return 'percentages_not_100'
  return sumOf(splits, 'fixed') === amountMinor ? undefined : 'fixed_not_amount'
}

/** Replaces the splits of updated parties and keeps the others, sorted by party id. */
export function mergeSplits(splits: readonly Split[], updates: readonly Split[]): Split[] {
  const byParty = new Map([...splits, ...updates].map((split) => [split.partyId, split]))
  return [...byParty.values()].sort(byPartyId)
}

const byPartyId = (a: Split, b: Split): number => (a.partyId < b.partyId ? -1 : 1)

/**
 * Divides the amount exactly: the largest remainders get the minor units left by rounding down, and ties go to the
 * smaller id. The order of the splits does not matter.
 */
export function shareOut(amountMinor: bigint, splits: readonly Split[]): Map<string, bigint> {
  const restMinor = amountMinor - sumOf(splits, 'fixed')
  const exact = splits
    .filter(({ type }) => type === 'percentage')
    .map((split) => ({ ...split, product: restMinor * split.value }))
  const roundedDown = exact.reduce((sum, { product }) => sum + product / wholePercent, 0n)
  const favoured = new Set(
    exact
      .toSorted((a, b) => compare(b.product % wholePercent, a.product % wholePercent) || byPartyId(a, b))
      .slice(0, exact.length === 0 ? 0 : Number(restMinor - roundedDown))
      .map(({ partyId }) => partyId),
  )
  return new Map([
    ...splits
      .filter(({ type }) => type === 'fixed')
      .map(({ partyId, value }): [string, bigint] => [partyId, value]),
    ...exact.map(({ partyId, product }): [string, bigint] => [
      partyId,
      product / wholePercent + (favoured.has(partyId) ? 1n : 0n),
    ]),
  ])
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))

/** Covers amounts one after the other; undefined when money would be left over. */
export function coverInOrder(
  poolMinor: bigint,
  milestones: readonly { expectedMinor: bigint }[],
): bigint[] | undefined {
  let leftMinor = poolMinor
  const covered = milestones.map(({ expectedMinor }) => {
    const partMinor = leftMinor < expectedMinor ? leftMinor : expectedMinor
    leftMinor -= partMinor
    return partMinor
  })
  return leftMinor > 0n ? undefined : covered
}

/**
 * Whether a payout that had failed was completed by its provider after all. The current payment counts only once it
 * has failed: before that, its completion and the share's are one commit, and both may land between two reads.
 */
export function isPaidLate(
  share: { state: string; paymentId: string; triedPaymentIds: readonly string[] },
  paymentStatuses: ReadonlyMap<string, string>,
): boolean {
  if (share.state === 'paid') return false
  const hasFailed = share.state === 'failed' || share.state === 'stuck'
  const failedIds = hasFailed ? [...share.triedPaymentIds, share.paymentId] : share.triedPaymentIds
  return failedIds.some((paymentId) => paymentStatuses.get(paymentId) === 'completed')
}

type FundingStatus = 'unfunded' | 'partially_funded' | 'funded'

export const fundingStatusOf = (milestone: {
  expectedMinor: bigint
  coveredMinor: bigint
}): FundingStatus => {
  if (milestone.coveredMinor === 0n) return 'unfunded'
  return milestone.coveredMinor < milestone.expectedMinor ? 'partially_funded' : 'funded'
}
