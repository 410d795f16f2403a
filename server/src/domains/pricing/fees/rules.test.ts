import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chargeable, FeeSchedule } from './record.ts'
import { chooseSchedule, feeOf } from './rules.ts'

const terms = (changes: Partial<FeeSchedule> = {}): FeeSchedule => ({
  orgId: null,
  scheduleId: 'general',
  label: 'General',
  direction: null,
  method: null,
  country: null,
  currency: null,
  rateMillionths: 0,
  fixedMinor: 0n,
  minimumMinor: 0n,
  maximumMinor: null,
  isReturned: false,
  createdAt: new Date(0),
  retiredAt: null,
  ...changes,
})
const ngn = (amountMinor: bigint) => ({ amountMinor, currency: 'NGN' })

describe('a fee', () => {
  it.each([
    ['1.5 percent', { rateMillionths: 15_000 }, 10_000n, 150n],
    ['half a minor unit is rounded up', { rateMillionths: 15_000 }, 100n, 2n],
    ['less than half is rounded down', { rateMillionths: 14_900 }, 100n, 1n],
    ['a fixed part is added', { rateMillionths: 15_000, fixedMinor: 5_000n }, 10_000n, 5_150n],
    ['the minimum', { rateMillionths: 100, minimumMinor: 700n }, 10_000n, 700n],
    ['the maximum', { rateMillionths: 500_000, maximumMinor: 700n }, 10_000n, 700n],
    ['the amount itself', { fixedMinor: 20_000n }, 10_000n, 10_000n],
    ['a maximum of zero', { rateMillionths: 500_000, maximumMinor: 0n }, 10_000n, 0n],
  ])('%s', (_name, changes, amount, expected) => {
    expect(feeOf(terms(changes), ngn(amount))).toBe(expected)
  })

  const anyTerms = fc
    .record({
      rateMillionths: fc.integer({ min: 0, max: 1_000_000 }),
      fixedMinor: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      minimumMinor: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      above: fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n })),
    })
    .map(({ above, ...rest }) =>
      terms({ ...rest, maximumMinor: above === null ? null : rest.minimumMinor + above }),
    )
  const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 17n })

  it('is never negative, never above the amount, and within minimum and maximum where the amount allows it', () => {
    fc.assert(
      fc.property(anyTerms, anyAmount, (schedule, amount) => {
        const fee = feeOf(schedule, ngn(amount))
        expect(fee).toBeGreaterThanOrEqual(0n)
        expect(fee).toBeLessThanOrEqual(amount)
        if (fee < amount) expect(fee).toBeGreaterThanOrEqual(schedule.minimumMinor)
        if (schedule.maximumMinor !== null) expect(fee).toBeLessThanOrEqual(schedule.maximumMinor)
      }),
    )
  })

  it('never falls when the amount rises, and differs from the exact share by at most half a minor unit', () => {
    fc.assert(
      fc.property(anyTerms, anyAmount, fc.bigInt({ min: 0n, max: 10n ** 9n }), (schedule, amount, more) => {
        expect(feeOf(schedule, ngn(amount + more))).toBeGreaterThanOrEqual(feeOf(schedule, ngn(amount)))
        const { rateMillionths } = schedule
        const share = feeOf(terms({ rateMillionths }), ngn(amount)) * 1_000_000n
        const difference = share - amount * BigInt(rateMillionths)
        expect(difference).toBeLessThanOrEqual(500_000n)
        expect(difference).toBeGreaterThan(-500_000n)
      }),
    )
  })
})

describe('the schedule that applies', () => {
  const payout: Chargeable = {
    direction: 'outbound',
    method: 'bank_transfer',
    country: 'NG',
    amount: ngn(1n),
  }
  const choose = (...schedules: FeeSchedule[]): string | undefined =>
    chooseSchedule(schedules, payout)?.scheduleId

  it('matches every condition that it names', () => {
    expect(choose(terms())).toBe('general')
    expect(choose(terms({ direction: 'inbound' }))).toBeUndefined()
    expect(choose(terms({ method: 'card' }))).toBeUndefined()
    expect(choose(terms({ country: 'GH' }))).toBeUndefined()
    expect(choose(terms({ currency: 'GHS' }))).toBeUndefined()
    expect(choose(terms({ retiredAt: new Date(1) }))).toBeUndefined()
  })

  it('is the organisation’s own before a more specific general one', () => {
    const specific = terms({ scheduleId: 'specific', direction: 'outbound', country: 'NG' })
    expect(choose(terms(), specific)).toBe('specific')
    expect(choose(specific, terms({ scheduleId: 'own', orgId: 'org' }))).toBe('own')
  })

  /** In either order, because the order in which schedules are listed must not matter. */
  const chooseAny = (a: FeeSchedule, b: FeeSchedule): (string | undefined)[] => [choose(a, b), choose(b, a)]

  it('is the one with the most conditions, whatever is newer', () => {
    const own = terms({ scheduleId: 'own', orgId: 'org' })
    const general = terms({ direction: 'outbound', createdAt: new Date(2) })
    expect(chooseAny(own, general)).toEqual(['own', 'own'])
    const specific = terms({ scheduleId: 'specific', direction: 'outbound', country: 'NG' })
    expect(chooseAny(specific, general)).toEqual(['specific', 'specific'])
  })

  it('is the newest among equals, and among those of one moment the last by id', () => {
    const newer = terms({ scheduleId: 'a newer one', createdAt: new Date(1) })
    expect(chooseAny(terms(), newer)).toEqual(['a newer one', 'a newer one'])
    expect(chooseAny(terms(), terms({ scheduleId: 'later' }))).toEqual(['later', 'later'])
  })
})
