import fc from 'fast-check'
import { expect, it } from 'vitest'
import { trimEnd, trimStart } from './trim.ts'

it('removes every such character from one side, and nothing else', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0a]{0,20}$/), (text) => {
      expect(trimStart(text, '0')).toBe(text.replace(/^0+/, ''))
      expect(trimEnd(text, '0')).toBe(text.replace(/0+$/, ''))
    }),
  )
})

it('takes linear time for a long run of the character that does not reach the end', () => {
  const startedAt = performance.now()
  trimEnd(`${'0'.repeat(1_000_000)}1`, '0')
  expect(performance.now() - startedAt).toBeLessThan(200)
})
