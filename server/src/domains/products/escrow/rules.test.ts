import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planReturns } from './rules.ts'

const fundings = fc.array(
  fc.bigInt({ min: 1n, max: 10n ** 12n }).chain((amountMinor) =>
    fc.record({
      amountMinor: fc.constant(amountMinor),
      returnedMinor: fc.bigInt({ min: 0n, max: amountMinor }),
    }),
  ),
  { maxLength: 10 },
)

it('the rest is returned in full, and no account gets more than it funded', () => {
  const cases = fundings.chain((made) => {
    const most = made.reduce((sum, { amountMinor, returnedMinor }) => sum + amountMinor - returnedMinor, 0n)
    return fc.record({ made: fc.constant(made), left: fc.bigInt({ min: 0n, max: most }) })
  })
  fc.assert(
    fc.property(cases, ({ made, left }) => {
      const returns = planReturns(left, made)
      expect(returns.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(left)
      for (const { funding, amountMinor } of returns)
        expect(amountMinor > 0n && amountMinor <= funding.amountMinor - funding.returnedMinor).toBe(true)
    }),
  )
})

it('the newest funding is returned first, because the oldest was spent first', () => {
  const made = [
    { amountMinor: 100n, returnedMinor: 0n },
    { amountMinor: 50n, returnedMinor: 10n },
  ]
  expect(planReturns(60n, made).map(({ amountMinor }) => amountMinor)).toEqual([40n, 20n])
  expect(() => planReturns(141n, made)).toThrow('the escrow holds more than was funded')
})
