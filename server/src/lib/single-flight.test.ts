import { expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

it('a call for a key that is under way is joined, one for another key or later is not', async () => {
  const join = singleFlight<number>()
  let runs = 0
  const work = async (): Promise<number> => {
    runs += 1
    await Promise.resolve()
    return runs
  }
  expect(await Promise.all([join('a', work), join('a', work), join('b', work)])).toEqual([2, 2, 2])
  expect(await join('a', work)).toBe(3)
})

it('all who joined a call that fails hear of it, and the next one is a new call', async () => {
  const join = singleFlight<number>()
  const fail = (): Promise<number> => Promise.reject(new Error('no'))
  const results = await Promise.allSettled([join('a', fail), join('a', fail)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await join('a', () => Promise.resolve(1))).toBe(1)
})
