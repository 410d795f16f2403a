import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noSums, type PayinSums } from './record.ts'
import { divide, exceeds, leftMinor, takenMinor } from './rules.ts'

const exchanged = (sourceMinor: bigint, targetMinor: bigint) => ({
  source: { amountMinor: sourceMinor, currency: 'EUR' },
  target: { amountMinor: targetMinor, currency: 'JPY' },
})

type Change = Partial<Record<'refundedMinor' | 'reversedMinor' | 'withdrawnMinor' | 'returnedMinor', bigint>>
const apply = (sums: PayinSums, change: Change): PayinSums => ({
  ...sums,
  refundedMinor: sums.refundedMinor + (change.refundedMinor ?? 0n),
  reversedMinor: sums.reversedMinor + (change.reversedMinor ?? 0n),
  withdrawnMinor: sums.withdrawnMinor + (change.withdrawnMinor ?? 0n),
  returnedMinor: sums.returnedMinor + (change.returnedMinor ?? 0n),
})

/** What the balance and suspense have paid after all the changes. */
function play(terms: ReturnType<typeof exchanged>, changes: readonly Change[]) {
  let [sums, booked, balance, excess]: [PayinSums, bigint, bigint, bigint] = [noSums, 0n, 0n, 0n]
  for (const change of changes) {
    const after = apply(sums, change)
    const sign = takenMinor(after) < takenMinor(sums) ? -1n : 1n
    const parts = divide({ ...terms, sums }, after)
    booked += sign * parts.bookedMinor
    balance += sign * parts.balanceMinor
    excess += sign * parts.excessMinor
    sums = after
  }
  return { booked, balance, excess }
}

describe('what goes back to a payer', () => {
  it('costs the balance the whole amount at most, however it is divided', () => {
    const third = exchanged(3_00n, 100n)
    expect(play(third, [{ refundedMinor: 1_00n }, { withdrawnMinor: 2_00n }])).toMatchObject({
      balance: 100n,
    })
    expect(divide({ ...third, sums: noSums }, apply(noSums, { refundedMinor: 1_00n })).balanceMinor).toBe(34n)
  })

  it('is booked up to the payment, and the rest is excess', () => {
    const terms = exchanged(100n, 200n)
    expect(play(terms, [{ withdrawnMinor: 100n }, { refundedMinor: 60n }])).toEqual({
      booked: 100n,
      balance: 200n,
      excess: 60n,
    })
    // The dispute is won: what exceeded the payment comes back first.
    expect(play(terms, [{ withdrawnMinor: 100n }, { refundedMinor: 60n }, { returnedMinor: 100n }])).toEqual({
      booked: 60n,
      balance: 120n,
      excess: 0n,
    })
    expect(play(terms, [{ returnedMinor: 30n }])).toEqual({ booked: 0n, balance: 0n, excess: -30n })
  })

  it('ends in the same sums in whatever order it happens', () => {
    const minor = fc.bigInt({ min: 1n, max: 10n ** 12n })
    const change: fc.Arbitrary<Change> = fc.oneof(
      fc.record({ refundedMinor: minor }),
      fc.record({ withdrawnMinor: minor }),
      fc.record({ returnedMinor: minor }),
      fc.record({ reversedMinor: minor }),
    )
    fc.assert(
      fc.property(minor, minor, fc.array(change, { maxLength: 8 }), (source, target, changes) => {
        const terms = exchanged(source, target)
        const forwards = play(terms, changes)
        expect(play(terms, changes.toReversed())).toEqual(forwards)
        expect(forwards.booked).toBeLessThanOrEqual(source)
        expect(forwards.balance).toBeLessThanOrEqual(target)
        expect(forwards.booked).toBeGreaterThanOrEqual(0n)
      }),
    )
  })
})

describe('what is left for a refund', () => {
  const source = { amountMinor: 100n, currency: 'EUR' }
  it('is what neither went back nor may go back', () => {
    const left = (sums: Partial<PayinSums>): bigint => leftMinor({ source, sums: { ...noSums, ...sums } })
    expect(left({})).toBe(100n)
    expect(left({ refundedMinor: 10n, refundingMinor: 20n, disputedMinor: 30n })).toBe(40n)
    expect(left({ withdrawnMinor: 100n, returnedMinor: 60n })).toBe(60n)
    expect(left({ reversedMinor: 100n })).toBe(0n)
    expect(left({ withdrawnMinor: 150n })).toBe(0n)
  })

  it('is exceeded by what providers do, and by what is under way', () => {
    const isBeyond = (sums: Partial<PayinSums>): boolean => exceeds({ source, sums: { ...noSums, ...sums } })
    expect(isBeyond({ refundedMinor: 100n })).toBe(false)
    expect(isBeyond({ refundedMinor: 101n })).toBe(true)
    expect(isBeyond({ refundedMinor: 60n, refundingMinor: 41n })).toBe(true)
    expect(isBeyond({ refundedMinor: 60n, disputedMinor: 41n })).toBe(true)
    expect(isBeyond({ withdrawnMinor: 150n, returnedMinor: 50n })).toBe(false)
  })
})
