import { describe, expect, it } from 'vitest'
import { createRoutingMemory } from './track-routing.ts'

describe('what a process remembers about its decisions', () => {
  it('is the last leader of each corridor', () => {
    const memory = createRoutingMemory()
    expect(memory.leaderOf('cards in NG')).toBeUndefined()
    memory.lead('cards in NG', 'one')
    memory.lead('cards in NG', 'other')
    memory.lead('cards in KE', 'one')
    expect([memory.leaderOf('cards in NG'), memory.leaderOf('cards in KE')]).toEqual(['other', 'one'])
  })

  it('counts the explorations of an organisation by the UTC day', () => {
    const memory = createRoutingMemory()
    const [evening, night] = [new Date('2026-03-01T23:59:59Z'), new Date('2026-03-02T00:00:00Z')]
    memory.explore('a', evening)
    memory.explore('a', evening)
    memory.explore('b', evening)
    expect([memory.explorationsOn('a', evening), memory.explorationsOn('b', evening)]).toEqual([2, 1])
    expect(memory.explorationsOn('a', night)).toBe(0)
    memory.explore('a', night)
    expect(memory.explorationsOn('a', night)).toBe(1)
  })
})
