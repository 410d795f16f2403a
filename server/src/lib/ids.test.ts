import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstIdAt, newId, smallestCausedBy, timeOfId } from './ids.ts'

const dayMs = 24 * 60 * 60_000
const moments = fc.date({ min: new Date(dayMs), max: new Date('2200-01-01'), noInvalidDate: true })

describe('ids by time', () => {
  it('the first id of a moment is the smallest of it, and larger than every earlier one', () => {
    fc.assert(
      fc.property(moments, moments, (a, b) => {
        expect(timeOfId(firstIdAt(a))).toEqual(a)
        expect(firstIdAt(a) < firstIdAt(b)).toBe(a < b)
      }),
    )
  })

  it('an id lies between the first of its millisecond and the first of the next one', () => {
    const before = Date.now()
    const id = newId()
    const after = Date.now()
    const time = timeOfId(id)?.getTime() ?? 0
    expect([time >= before, time <= after]).toEqual([true, true])
    expect(id >= firstIdAt(new Date(time)) && id < firstIdAt(new Date(time + 1))).toBe(true)
  })

  it('what a thing causes has no smaller id, also by a clock that is a day behind', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const behind = new Date(moment.getTime() - dayMs)
        expect(smallestCausedBy(firstIdAt(moment)) <= firstIdAt(behind)).toBe(true)
      }),
    )
  })

  it('of an id without a time nothing is known', () => {
    const random = '9c5b94b1-35ad-49bb-b118-8e8fc24abf80'
    expect(timeOfId(random)).toBeUndefined()
    expect(smallestCausedBy(random)).toBe('00000000-0000-0000-0000-000000000000')
  })
})
