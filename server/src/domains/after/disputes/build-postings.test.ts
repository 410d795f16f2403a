import { expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { moveTransfers } from './build-postings.ts'
import type { BookedMove } from './record.ts'

const dispute = {
  orgId: newId(),
  disputeId: 'dispute',
  provider: 'stripe',
  accountId: 'acc',
  custody: 'pooled',
} as const
const moveOf = (change: Partial<BookedMove>): BookedMove => ({
  moveNo: 1,
  amountMinor: 1_000n,
  currency: 'GBP',
  excessMinor: 0n,
  costMinor: 0n,
  costCurrency: 'GBP',
  exchangedMinor: null,
  exchangedCurrency: null,
  ...change,
})
const transfersOf = (change: Partial<BookedMove>): string[] =>
  moveTransfers(dispute, moveOf(change)).map(
    ({ kind, debit, credit, amountMinor, currency }) =>
      `${kind}: ${debit} to ${credit}, ${amountMinor} ${currency}`,
  )

it('a withdrawal of a single minor unit is booked, and its excess and its charge of nothing are not', () => {
  expect(transfersOf({ amountMinor: 1n })).toEqual([
    'dispute.withdrawn.1: available to provider:stripe:acc, 1 GBP',
  ])
})

it('of an exchanged payin, what is not in excess is exchanged back, and the charge in its currency', () => {
  const exchanged = { excessMinor: 200n, exchangedMinor: 16_400n, exchangedCurrency: 'NGN' }
  expect(transfersOf({ ...exchanged, costMinor: 20n })).toEqual([
    'dispute.fx.sold.1: available to fx:GBP/NGN, 16400 NGN',
    'dispute.fx.bought.1: fx:GBP/NGN to available, 820 GBP',
    'dispute.withdrawn.1: available to provider:stripe:acc, 800 GBP',
    'dispute.excess.1: suspense to provider:stripe:acc, 200 GBP',
    'dispute.cost.1: available to provider:stripe:acc, 20 GBP',
  ])
  expect(transfersOf({ ...exchanged, costMinor: 20n, costCurrency: 'USD' })).toEqual([
    'dispute.fx.sold.1: available to fx:GBP/NGN, 16400 NGN',
    'dispute.fx.bought.1: fx:GBP/NGN to available, 800 GBP',
    'dispute.withdrawn.1: available to provider:stripe:acc, 800 GBP',
    'dispute.excess.1: suspense to provider:stripe:acc, 200 GBP',
    'dispute.cost.1: available to provider:stripe:acc, 20 USD',
  ])
})
