import { expect, it } from 'vitest'
import { longestParts } from './longest-parts.ts'

it('shows the ten longest parts, the longest first', () => {
  const parts = Array.from({ length: 12 }, (_, index) => ({ name: `part ${index}`, seconds: index + 0.5 }))
  const lines = longestParts(parts)
  expect(lines).toHaveLength(11)
  expect([lines[0], lines[1], lines.at(-1)]).toEqual([
    'longest parts:',
    '    11.5 s  part 11',
    '     2.5 s  part 2',
  ])
})

it('leaves out what takes less than a second', () => {
  expect(longestParts([{ name: 'short', seconds: 0.9 }])).toEqual([])
})
