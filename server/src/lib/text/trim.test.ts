import fc from 'fast-check'
import { expect, it } from 'vitest'
import { trimDecimals, trimEnd, trimStart } from './trim.ts'

it('removes every such character from one side, and nothing else', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0a]{0,20}$/), (text) => {
      expect(trimStart(text, '0')).toBe(text.replace(/^0+/, ''))
      expect(trimEnd(text, '0')).toBe(text.replace(/0+$/, ''))
    }),
  )
})

it.each([
  ['1.500000', 2, '1.50'],
  ['1.5', 2, '1.5'],
  ['33.300000', 1, '33.3'],
  ['50.000000', 1, '50.0'],
  ['100.50', 0, '100.5'],
  ['100.00', 0, '100'],
  ['100', 0, '100'],
  ['0.00', 0, '0'],
])('%s with at least %d decimals is %s', (text, least, trimmed) => {
  expect(trimDecimals(text, least)).toBe(trimmed)
})
