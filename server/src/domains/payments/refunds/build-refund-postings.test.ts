import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import type { Transfer } from '../../../kernel/ledger/transfers.ts'
import { rateHoldStatements, refundHoldStatements, refundPostings } from './build-refund-postings.ts'
import type { Refund } from './record.ts'

const at = new Date('2026-03-01T12:00:00Z')
const refundOf = (change: Partial<Refund> = {}): Refund => ({
  orgId: newId(),
  refundId: 'refund',
  paymentId: newId(),
  origin: 'api',
  amountMinor: 100n,
  currency: 'NGN',
  debitMinor: 100n,
  debitCurrency: 'NGN',
  marketRate: null,
  differenceMinor: 0n,
  excessMinor: 0n,
  reason: 'returned goods',
  state: 'accepted',
  approvalReason: null,
  reference: newId(),
  provider: 'paystack',
  accountId: 'acc',
  providerRef: null,
  custody: 'pooled',
  failureCode: null,
  failureMessage: null,
  userId: 'user',
  notFoundCount: 0,
  notFoundAt: null,
  version: 1,
  begunAt: at,
  createdAt: at,
  updatedAt: at,
  ...change,
})
/** The payer paid pounds, and the balance holds naira. */
const exchanged = { currency: 'GBP', debitMinor: 2_000n } as const

const line = ({ causeId, kind, phase, debit, credit, amountMinor, currency }: Transfer): string => {
  expect(causeId).toBe('refund')
  return `${kind} ${phase}: ${debit} to ${credit}, ${amountMinor} ${currency}`
}
const postings = (before: Partial<Refund>, after: Partial<Refund>): string[] =>
  refundPostings(refundOf(before), refundOf({ ...before, ...after })).map(line)

describe('a refund', () => {
  it('that completes posts its hold', () => {
    expect(postings({}, { state: 'completed' })).toEqual([
      'refund.resolved post: available to provider:paystack:acc, 100 NGN',
    ])
    expect(postings({ custody: 'own' }, { state: 'completed' })).toEqual([
      'refund.resolved post: available:own to provider:paystack:acc, 100 NGN',
    ])
  })

  it('that fails releases its hold', () => {
    expect(postings({}, { state: 'failed' })).toEqual([
      'refund.resolved void: available to provider:paystack:acc, 100 NGN',
    ])
  })

  it('that is under way posts nothing', () => {
    for (const state of ['sending', 'unknown', 'accepted'] as const)
      expect(postings({}, { state })).toEqual([])
  })

  it('of an exchanged payin is exchanged back', () => {
    expect(postings(exchanged, { state: 'completed' })).toEqual([
      'refund.fx.resolved post: available to fx:GBP/NGN, 2000 NGN',
      'refund posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
    ])
    expect(postings({ ...exchanged, debitMinor: 0n }, { state: 'completed' })).toEqual([
      'refund posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
    ])
  })
})

describe('a refund at the market rate', () => {
  const dearer = { ...exchanged, marketRate: '25', differenceMinor: 500n } as const
  const cheaper = { ...exchanged, marketRate: '15', differenceMinor: -500n } as const

  it('that costs more than at its own rate holds and posts the difference apart', () => {
    expect(postings(dearer, { state: 'completed' })).toEqual([
      'refund.fx.resolved post: available to fx:GBP/NGN, 2000 NGN',
      'refund.rate.resolved post: available to fx:GBP/NGN, 500 NGN',
      'refund posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
    ])
    expect(postings(dearer, { state: 'failed' })).toEqual([
      'refund.fx.resolved void: available to fx:GBP/NGN, 2000 NGN',
      'refund.rate.resolved void: available to fx:GBP/NGN, 500 NGN',
    ])
  })

  it('that costs a single minor unit more holds it, and one that costs the same holds nothing for it', () => {
    expect(postings({ ...dearer, differenceMinor: 1n }, { state: 'completed' })).toEqual([
      'refund.fx.resolved post: available to fx:GBP/NGN, 2000 NGN',
      'refund.rate.resolved post: available to fx:GBP/NGN, 1 NGN',
      'refund posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
    ])
    const statements = (differenceMinor: bigint): number =>
      rateHoldStatements(refundOf({ ...dearer, differenceMinor })).length
    expect([statements(-1n), statements(0n)]).toEqual([0, 0])
    expect(statements(1n)).toBeGreaterThan(0)
  })

  it('that costs less credits the difference once it is completed', () => {
    expect(postings(cheaper, { state: 'completed' })).toEqual([
      'refund.fx.resolved post: available to fx:GBP/NGN, 2000 NGN',
      'refund posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
      'refund.rate posted: fx:GBP/NGN to available, 500 NGN',
    ])
    expect(postings(cheaper, { state: 'failed' })).toEqual([
      'refund.fx.resolved void: available to fx:GBP/NGN, 2000 NGN',
    ])
  })

  it('that turned out to be another amount is posted anew, with the difference', () => {
    const partly = {
      state: 'completed',
      debitMinor: 1_000n,
      differenceMinor: 250n,
      excessMinor: 50n,
    } as const
    expect(postings(dearer, partly)).toEqual([
      'refund.fx.resolved void: available to fx:GBP/NGN, 2000 NGN',
      'refund.rate.resolved void: available to fx:GBP/NGN, 500 NGN',
      'refund.elsewhere posted: fx:GBP/NGN to provider:paystack:acc, 50 GBP',
      'refund.elsewhere.fx posted: available to fx:GBP/NGN, 1000 NGN',
      'refund.elsewhere.rate posted: available to fx:GBP/NGN, 250 NGN',
      'refund.excess posted: suspense to provider:paystack:acc, 50 GBP',
    ])
  })
})

describe('a refund that somebody made at the provider', () => {
  const elsewhere = { origin: 'provider' } as const

  it('is posted without a hold, under a kind that is never refused', () => {
    expect(postings(elsewhere, { state: 'completed' })).toEqual([
      'refund.elsewhere posted: available to provider:paystack:acc, 100 NGN',
    ])
    expect(postings({ ...elsewhere, ...exchanged }, { state: 'completed' })).toEqual([
      'refund.elsewhere posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
      'refund.elsewhere.fx posted: available to fx:GBP/NGN, 2000 NGN',
    ])
  })

  it('that fails posts nothing, because nothing was held', () => {
    expect(postings(elsewhere, { state: 'failed' })).toEqual([])
  })

  it('puts what exceeds the payment into suspense', () => {
    expect(postings(elsewhere, { state: 'completed', excessMinor: 30n })).toEqual([
      'refund.elsewhere posted: available to provider:paystack:acc, 70 NGN',
      'refund.excess posted: suspense to provider:paystack:acc, 30 NGN',
    ])
    expect(postings(elsewhere, { state: 'completed', excessMinor: 99n })[0]).toContain('1 NGN')
    expect(postings(elsewhere, { state: 'completed', excessMinor: 1n }).at(-1)).toContain('suspense')
    expect(postings(elsewhere, { state: 'completed', excessMinor: 100n })).toEqual([
      'refund.excess posted: suspense to provider:paystack:acc, 100 NGN',
    ])
  })
})

describe('a refund that turned out to be another amount than was held', () => {
  it('releases the hold and is posted anew', () => {
    expect(postings({}, { state: 'completed', debitMinor: 60n, excessMinor: 40n })).toEqual([
      'refund.resolved void: available to provider:paystack:acc, 100 NGN',
      'refund.elsewhere posted: available to provider:paystack:acc, 60 NGN',
      'refund.excess posted: suspense to provider:paystack:acc, 40 NGN',
    ])
    expect(postings(exchanged, { state: 'completed', debitMinor: 1_999n })).toEqual([
      'refund.fx.resolved void: available to fx:GBP/NGN, 2000 NGN',
      'refund.elsewhere posted: fx:GBP/NGN to provider:paystack:acc, 100 GBP',
      'refund.elsewhere.fx posted: available to fx:GBP/NGN, 1999 NGN',
    ])
    expect(postings({}, { state: 'completed', excessMinor: 1n })[0]).toContain('void')
  })
})

describe('the hold of a refund', () => {
  const statements = (change: Partial<Refund>) => refundHoldStatements(refundOf(change))

  it('is refused when the pooled balance does not cover it', () => {
    expect(statements({}).map(({ sql }) => /assert_covered|ledger_transfers/.exec(sql)?.[0])).toEqual([
      'ledger_transfers',
      'assert_covered',
    ])
    expect(statements({ custody: 'own' })).toHaveLength(1)
  })

  it('is written as a hold, in the currency of the balance', () => {
    expect(statements({})[0]?.parameters.slice(1)).toEqual([
      'refund',
      'refund',
      'pending',
      'available',
      'provider:paystack:acc',
      'NGN',
      '100',
    ])
    expect(statements(exchanged)[0]?.parameters.slice(1)).toEqual([
      'refund',
      'refund.fx',
      'pending',
      'available',
      'fx:GBP/NGN',
      'NGN',
      '2000',
    ])
    expect(statements({ ...exchanged, debitMinor: 0n })).toEqual([])
  })
})
