import { describe, expect, it } from 'vitest'
import { useStarted } from './use-started.ts'

const notRunning = 'This fixture is not running'
const log: string[] = []

describe('a fixture', () => {
  const counter = useStarted(
    () => Promise.resolve({ count: 1, double: (value: number) => value * 2 }),
    ({ count }) => log.push(`stopped at ${count}`),
  )
  expect(() => counter.count).toThrow(notRunning)

  it('has the members of what was started', () => {
    expect(counter.count).toBe(1)
    expect(counter.double(2)).toBe(4)
    expect('count' in counter).toBe(true)
    expect(Object.keys({ ...counter })).toEqual(['count', 'double'])
  })

  it('can be changed as what was started', () => {
    counter.count = 7
    expect({ ...counter }.count).toBe(7)
  })
})

describe('after the tests of its describe', () => {
  it('it is stopped', () => {
    expect(log).toEqual(['stopped at 7'])
  })
})
