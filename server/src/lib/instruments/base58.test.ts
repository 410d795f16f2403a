import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBase58 } from '@switchyard/stack/services/restate-identity-key.ts'
import { fromBase58 } from './base58.ts'

test.each([
  ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
  ['0000287fb4cd', '11233QC4'],
  ['000000', '111'],
])('%s is written %s', (hex, text) => {
  expect(toBase58(Buffer.from(hex, 'hex'))).toBe(text)
  expect(fromBase58(text)?.toString('hex')).toBe(hex)
})

test('encoded bytes decode to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 32 }), (bytes) => {
      expect(fromBase58(toBase58(bytes))).toEqual(Buffer.from(bytes))
    }),
  )
})

test.each(['', '0', 'O', 'l1I', '1'.repeat(65)])('%j is not base58', (text) => {
  expect(fromBase58(text)).toBeUndefined()
})
