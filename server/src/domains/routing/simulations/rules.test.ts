import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanOf, mixedRate, rateOfHour, wilson } from './rules.ts'

describe('intervals', () => {
  it('hold the value, lie within 0 and 1, and shrink with more observations', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), (succeeded, lost) => {
        const few = wilson(succeeded, succeeded + lost)
        if (!few) return succeeded + lost === 0
        const many = wilson(100 * succeeded, 100 * (succeeded + lost)) ?? few
        return (
          few.low >= 0 &&
          few.low <= few.value &&
          few.value <= few.high &&
          few.high <= 1 &&
          many.high - many.low <= few.high - few.low
        )
      }),
    )
  })

  it('of a mixed rate are wide when it rests on few observations', () => {
    const stayed = { succeeded: 0, total: 0 }
    const width = (observed: number): number => {
      const found = mixedRate(stayed, [{ payments: 10_000, rate: 0.8, observed }])
      return (found?.high ?? 0) - (found?.low ?? 0)
    }
    expect(width(20)).toBeGreaterThan(0.25)
    expect(width(20_000)).toBeLessThan(0.03)
    expect(mixedRate(stayed, [])).toBeNull()
    expect(mixedRate({ succeeded: 9, total: 10 }, [])?.value).toBe(0.9)
  })

  it('an hour without attempts is like the others, one with many is itself', () => {
    const overall = { succeeded: 50, total: 100 }
    expect(rateOfHour(undefined, overall)).toBe(0.5)
    expect(rateOfHour({ succeeded: 990, total: 1_000 }, overall)).toBeGreaterThan(0.98)
    expect(meanOf({ count: 0, sum: 0, squares: 0 })).toBeNull()
  })
})
