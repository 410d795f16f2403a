import { describe, expect, it } from 'vitest'
import { reorder, type RankedRoute } from './reorder.ts'

const own = (id: string, priority: number): RankedRoute => ({ id, priority, isLocked: false })
const locked = (id: string, priority: number): RankedRoute => ({ id, priority, isLocked: true })
const moved = (
  routes: readonly RankedRoute[],
  id: string,
  step: 1 | -1,
): Record<string, number> | undefined => {
  const changes = reorder(routes, id, step)
  return changes && Object.fromEntries(changes)
}

describe('reorder', () => {
  it('swaps two own routes', () => {
    expect(moved([own('a', 0), own('b', 1), own('c', 2)], 'b', -1)).toEqual({ b: 0, a: 1 })
    expect(moved([own('a', 0), own('b', 1), own('c', 2)], 'b', 1)).toEqual({ c: 1, b: 2 })
  })

  it('parts routes of the same priority', () => {
    expect(moved([own('a', 5), own('b', 5)], 'b', -1)).toEqual({ a: 6 })
  })

  it('goes before a locked route by taking its priority, and after it by the next one', () => {
    expect(moved([locked('x', 0), own('a', 1)], 'a', -1)).toEqual({ a: 0 })
    expect(moved([own('a', 0), locked('x', 0)], 'a', 1)).toEqual({ a: 1 })
  })

  it('never moves a locked route, and refuses where there is no room', () => {
    expect(moved([locked('x', 0), own('a', 1)], 'x', 1)).toBeUndefined()
    expect(moved([own('a', 0), locked('x', 0), own('b', 1)], 'b', -1)).toBeUndefined()
    expect(moved([own('a', 0)], 'a', -1)).toBeUndefined()
  })
})
