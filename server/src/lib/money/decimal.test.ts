import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convert, leastSource, toRate, wireRate } from './decimal.ts'

const gbp = (amountMinor: bigint) => ({ amountMinor, currency: 'GBP' })

describe('a conversion', () => {
  it.each([
    [1n, 0n],
    [3n, 2n],
    [5n, 2n],
    [7n, 4n],
  ])('rounds a tie to the even neighbour: half of %i minor units is %i', (amountMinor, half) => {
    expect(convert(gbp(amountMinor), toRate('0.5'), 'USD')).toEqual({ amountMinor: half, currency: 'USD' })
  })

  it.each([
    [gbp(1n), '0.49', 'USD', 0n],
    [gbp(1n), '0.51', 'USD', 1n],
    [gbp(100n), '4750.5', 'UGX', 4_750n],
    [gbp(300n), '4750.5', 'UGX', 14_252n],
    [{ amountMinor: 4_750n, currency: 'UGX' }, '0.0002', 'GBP', 95n],
  ])('rounds to the minor unit of the target: %o at %s to %s', (money, rate, currency, amountMinor) => {
    expect(convert(money, toRate(rate), currency)).toEqual({ amountMinor, currency })
  })
})

describe('the least source', () => {
  it.each([
    ['3 is enough for 1 at 0.3, because 0.9 rounds to 1', 1n, '0.3', 3n],
    ['6 is enough for 2 at 0.3, because 1.8 rounds to 2', 2n, '0.3', 6n],
    ['10 is exactly 3 at 0.3', 3n, '0.3', 10n],
    ['1 is the smallest amount, even where it is worth far more than the target', 1n, '1000', 1n],
    ['3 is needed for 5 at 2, because 2 is worth only 4', 5n, '2', 3n],
  ])('%s', (_case, target, rate, amountMinor) => {
    expect(leastSource(gbp(target), toRate(rate), 'USD')).toEqual({ amountMinor, currency: 'USD' })
  })

  it('accounts for the minor units of both currencies', () => {
    expect(leastSource({ amountMinor: 4_750n, currency: 'UGX' }, toRate('4750'), 'GBP')).toEqual(gbp(100n))
    expect(leastSource(gbp(100n), toRate('0.0002'), 'UGX')).toEqual({ amountMinor: 5_000n, currency: 'UGX' })
  })

  it('converts to at least the target, and one minor unit less is worth less than the target', () => {
    const rates = fc.integer({ min: 1, max: 10_000_000 }).map((parts) => toRate(`${parts}e-4`))
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), rates, (target, rate) => {
        const { amountMinor } = leastSource(gbp(target), rate, 'USD')
        const usd = (minor: bigint) => ({ amountMinor: minor, currency: 'USD' })
        expect(convert(usd(amountMinor), rate, 'GBP').amountMinor).toBeGreaterThanOrEqual(target)
        expect(rate.mul((amountMinor - 1n).toString()).lt(target.toString())).toBe(true)
      }),
    )
  })
})

describe('a rate', () => {
  const written = (digits: string): string => JSON.stringify(wireRate(toRate(digits)))

  it('is a JSON number with a decimal point and at most 18 digits', () => {
    expect(written('4750.5')).toBe('4750.5')
    expect(written('4750')).toBe('4750.0')
    expect(written('0.1234567890123456789')).toBe('0.123456789012345679')
    expect(written('1e-12')).toBe('0.000000000001')
  })

  it('keeps 40 digits, and rounds a tie to the even neighbour', () => {
    const third = toRate('1').div('3')
    expect(third.toString()).toBe(`0.${'3'.repeat(40)}`)
    const [ten, one] = [toRate('1e40'), toRate('5')]
    expect(ten.plus(one).minus(ten).toString()).toBe('0')
  })

  it('is written without an exponent between 1e-40 and 1e40', () => {
    expect(toRate('1e-39').toString()).toBe(`0.${'0'.repeat(38)}1`)
    expect(toRate('1e-40').toString()).toBe('1e-40')
    expect(toRate('1e39').toString()).toBe(`1${'0'.repeat(39)}`)
    expect(toRate('1e40').toString()).toBe('1e+40')
  })
})
