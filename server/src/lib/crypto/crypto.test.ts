import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveKey, equalInConstantTime, hmac, open, seal } from './crypto.ts'

const key = Buffer.alloc(32, 1)
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))

describe('a sealed value', () => {
  it('opens under the same key and context', () => {
    fc.assert(
      fc.property(bytes, fc.string(), (plain, context) => {
        expect(open(key, seal(key, plain, context), context)).toEqual(plain)
      }),
    )
  })

  it('does not open under another key or context', () => {
    fc.assert(
      fc.property(bytes, fc.string(), fc.string(), (plain, context, other) => {
        fc.pre(context !== other)
        const sealed = seal(key, plain, context)
        expect(open(key, sealed, other)).toBeUndefined()
        expect(open(Buffer.alloc(32, 2), sealed, context)).toBeUndefined()
      }),
    )
  })

  it('does not open when any bit changed', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (plain, at) => {
        const sealed = seal(key, plain, 'context')
        const bit = at % (sealed.length * 8)
        sealed[bit >> 3]! ^= 1 << (bit & 7)
        expect(open(key, sealed, 'context')).toBeUndefined()
      }),
    )
  })

  it('does not open when truncated or extended', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.uint8Array({ minLength: 1 }), (plain, at, more) => {
        const sealed = seal(key, plain, 'context')
        expect(open(key, sealed.subarray(0, at % sealed.length), 'context')).toBeUndefined()
        expect(open(key, Buffer.concat([sealed, more]), 'context')).toBeUndefined()
      }),
    )
  })

  it('differs every time and does not contain the plain text', () => {
    const plain = Buffer.from('a secret that is long enough to be recognised')
    const sealed = Array.from({ length: 100 }, () => seal(key, plain, 'context'))
    expect(new Set(sealed.map((one) => one.toString('hex'))).size).toBe(100)
    expect(sealed.some((one) => one.includes('secret'))).toBe(false)
  })
})

describe('derived keys', () => {
  it('differ by purpose and by secret, and are the same every time', () => {
    const cursors = deriveKey(key, 'cursors')
    expect(cursors).toHaveLength(32)
    expect(deriveKey(key, 'cursors')).toEqual(cursors)
    expect(deriveKey(key, 'idempotency')).not.toEqual(cursors)
    expect(deriveKey(Buffer.alloc(32, 2), 'cursors')).not.toEqual(cursors)
  })
})

describe('hmac', () => {
  it('is HMAC-SHA256 as in RFC 4231', () => {
    expect(hmac(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })
})

describe('the comparison in constant time', () => {
  it('distinguishes equal from different values, even of different lengths', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(equalInConstantTime(a, Buffer.from(a))).toBe(true)
        expect(equalInConstantTime(a, b)).toBe(a.equals(b))
      }),
    )
  })
})
