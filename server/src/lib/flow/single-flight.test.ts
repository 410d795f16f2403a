import { expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

it('concurrent calls with the same key share one execution; other keys and later calls do not', async () => {
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

it('a failure reaches every caller that shared the execution, and the next call starts a new one', async () => {
  const join = singleFlight<number>()
  const fail = (): Promise<number> => Promise.reject(new Error('no'))
  const results = await Promise.allSettled([join('a', fail), join('a', fail)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await join('a', () => Promise.resolve(1))).toBe(1)
})
