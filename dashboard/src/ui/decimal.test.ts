import { describe, expect, it } from 'vitest'
import { amountPattern, multiply, truncate } from './decimal.ts'

describe('the product of an amount and a rate', () => {
  it.each([
    ['1500.25', '0.000653', '0.97966325'],
    ['100', '1528.005', '152800.5'],
    ['0.10', '0.1', '0.01'],
    ['2', '50', '100'],
    ['2.50', '4', '10'],
    ['123456789012345.678', '1.123456789012345678', '138698367765584.514527968299765279684'],
    ['0', '17.25', '0'],
  ])('%s times %s is %s, to the last digit', (amount, rate, product) => {
    expect(multiply(amount, rate)).toBe(product)
  })
})

describe('the digits that are kept', () => {
  it.each([
    ['1.23456789', 6, '1.234567'],
    ['12', 6, '12'],
    ['12.5', 0, '12'],
  ])('of %s, %i decimals are %s', (amount, decimals, kept) => {
    expect(truncate(amount, decimals)).toBe(kept)
  })
})

describe('what may be typed as an amount', () => {
  const accepts = (typed: string): boolean => new RegExp(`^(?:${amountPattern})$`, 'v').test(typed)

  it.each(['0.5', '1500', '1500.25'])('%s', (typed) => expect(accepts(typed)).toBe(true))

  it.each(['1,500', '1.500,25', '.5', '5.', '-5', '1e3', '007'])('not %s', (typed) =>
    expect(accepts(typed)).toBe(false),
  )
})
