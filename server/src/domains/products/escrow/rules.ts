import { coverInOrder } from './milestones/rules.ts'

/** Returns the rest to its sources, newest funding first, because the oldest was spent first. */
export function planReturns<Funding extends { amountMinor: bigint; returnedMinor: bigint }>(
  leftMinor: bigint,
  oldestFirst: readonly Funding[],
): { funding: Funding; amountMinor: bigint }[] {
  const returnable = oldestFirst.map(({ amountMinor, returnedMinor }) => ({
    expectedMinor: amountMinor - returnedMinor,
  }))
  const parts = coverInOrder(leftMinor, returnable.toReversed())
  if (!parts) throw new Error('the escrow holds more than was funded')
  return oldestFirst
    .toReversed()
    .map((funding, place) => ({ funding, amountMinor: parts[place] ?? 0n }))
    .filter(({ amountMinor }) => amountMinor > 0n)
}
