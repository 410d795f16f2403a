import { describe, expect, it } from 'vitest'
import { useStarted } from './use-started.ts'

const stops: number[] = []
const loading: { error?: unknown } = {}

describe('a fixture', () => {
  const counter = useStarted(
    () => Promise.resolve({ count: 1, double: (value: number) => value * 2 }),
    ({ count }) => stops.push(count),
  )
  try {
    counter.double(1)
  } catch (error) {
    loading.error = error
  }

  it('refuses to be used while the file is loaded', () => {
    expect(loading.error).toMatchObject({ message: expect.stringContaining('not running') })
  })

  it('has the members of what was started', () => {
    expect(counter.count).toBe(1)
    expect(counter.double(2)).toBe(4)
    expect('count' in counter).toBe(true)
    expect(Object.keys({ ...counter })).toEqual(['count', 'double'])
  })

  it('passes assignments on', () => {
    counter.count = 7
    expect({ ...counter }.count).toBe(7)
  })
})

describe('a fixture whose tests are over', () => {
  it('is stopped once, with the state that the tests left', () => {
    expect(stops).toEqual([7])
  })
})
