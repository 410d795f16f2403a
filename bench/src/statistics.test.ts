import { expect, it } from 'vitest'
import { median, quantile } from './statistics.ts'

it('a quantile is the value below which its share lies, and the largest at the end', () => {
  const sorted = Array.from({ length: 100 }, (_, index) => index)
  expect([0, 0.5, 0.99, 1].map((share) => quantile(sorted, share))).toEqual([0, 50, 99, 99])
  expect(quantile([], 0.5)).toBe(0)
})

it('a median is the middle value, or between the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 2, 9])).toBe(3)
})
