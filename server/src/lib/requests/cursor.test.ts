import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, type CursorScope, type Position } from './cursor.ts'
import { AppError } from '../errors.ts'
import { ringOf } from '../../../test/app/test-keys.ts'

const key = ringOf(Buffer.alloc(32, 7))
const otherKey = ringOf(Buffer.alloc(32, 8))

const positions = fc.record<Position>({
  createdAt: fc.date({ noInvalidDate: true }),
  id: fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 })),
})
const scopes = fc.record<CursorScope>({
  orgId: fc.uuid(),
  route: fc.constantFrom('api-keys', 'users', 'members', 'organizations', 'audit-log'),
  filters: fc.dictionary(
    fc.constantFrom('userId', 'action', 'status'),
    fc.option(fc.string(), { nil: undefined }),
  ),
})

function expectMalformed(scope: CursorScope, cursor: string, openWith = key): void {
  let thrown: unknown
  try {
    decodeCursor(openWith, scope, cursor)
  } catch (error) {
    thrown = error
  }
  expect(thrown, `accepted ${cursor}`).toBeInstanceOf(AppError)
  expect(thrown).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
}

describe('a cursor', () => {
  it('decodes to the position that it was created from', () => {
    fc.assert(
      fc.property(scopes, positions, (scope, position) => {
        expect(decodeCursor(key, scope, encodeCursor(key, scope, position))).toEqual(position)
      }),
    )
  })

  it('always fits the length that routes accept', () => {
    fc.assert(
      fc.property(scopes, positions, (scope, position) => {
        expect(encodeCursor(key, scope, position)).toMatch(/^[A-Za-z0-9_-]{1,1024}$/)
      }),
    )
    const longest = { createdAt: new Date(-8.64e15), id: '"'.repeat(255) }
    const scope = { orgId: '', route: '', filters: {} }
    expect(decodeCursor(key, scope, encodeCursor(key, scope, longest))).toEqual(longest)
  })

  it('does not reveal the position', () => {
    const scope = { orgId: 'a', route: 'b', filters: {} }
    const cursor = encodeCursor(key, scope, { createdAt: new Date(0), id: 'recognisable-id' })
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('recognisable-id')
  })

  it('does not depend on the order of filters, nor on filters that are not set', () => {
    const position = { createdAt: new Date(1), id: 'x' }
    const made = { orgId: 'a', route: 'b', filters: { one: '1', two: '2', three: undefined } }
    const read = { orgId: 'a', route: 'b', filters: { two: '2', one: '1' } }
    expect(decodeCursor(key, read, encodeCursor(key, made, position))).toEqual(position)
  })
})

describe('a cursor is refused with 400 when', () => {
  it('any bit of its bytes is flipped', () => {
    fc.assert(
      fc.property(scopes, positions, fc.nat(), (scope, position, at) => {
        const bytes = Buffer.from(encodeCursor(key, scope, position), 'base64url')
        const bit = at % (bytes.length * 8)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        expectMalformed(scope, bytes.toString('base64url'))
      }),
    )
  })

  it('any bit of its text is flipped', () => {
    fc.assert(
      fc.property(scopes, positions, fc.nat(), fc.nat({ max: 6 }), (scope, position, at, bit) => {
        const text = Buffer.from(encodeCursor(key, scope, position), 'latin1')
        text[at % text.length]! ^= 1 << bit
        expectMalformed(scope, text.toString('latin1'))
      }),
    )
  })

  it('its last character is changed to one that decodes to the same bytes', () => {
    const scope = { orgId: 'a', route: 'b', filters: {} }
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // Two of three consecutive lengths leave spare bits in the last character.
    for (const id of ['x', 'xx', 'xxx']) {
      const cursor = encodeCursor(key, scope, { createdAt: new Date(1), id })
      const others = alphabet.replace(cursor.at(-1)!, '')
      expect(others).toHaveLength(63)
      for (const last of others) expectMalformed(scope, cursor.slice(0, -1) + last)
    }
  })

  it('cut short or extended', () => {
    fc.assert(
      fc.property(scopes, positions, fc.nat(), (scope, position, at) => {
        const cursor = encodeCursor(key, scope, position)
        expectMalformed(scope, cursor.slice(0, at % cursor.length))
      }),
    )
    fc.assert(
      fc.property(scopes, positions, fc.base64String({ minLength: 1 }), (scope, position, suffix) => {
        expectMalformed(scope, encodeCursor(key, scope, position) + suffix)
      }),
    )
  })

  it('created for another org, route or filters', () => {
    fc.assert(
      fc.property(scopes, scopes, positions, (scope, other, position) => {
        const cursor = encodeCursor(key, scope, position)
        expectMalformed({ ...scope, orgId: other.orgId }, cursor)
        expectMalformed({ ...scope, route: `${scope.route}-` }, cursor)
        expectMalformed({ ...scope, filters: { ...scope.filters, added: '' } }, cursor)
        expectMalformed({ ...scope, route: scope.orgId, orgId: scope.route }, cursor)
      }),
    )
  })

  it('created under another key', () => {
    fc.assert(
      fc.property(scopes, positions, (scope, position) => {
        expectMalformed(scope, encodeCursor(otherKey, scope, position))
      }),
    )
  })

  it('replaced by any other text', () => {
    fc.assert(
      fc.property(
        scopes,
        fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })),
        (scope, text) => {
          expectMalformed(scope, text)
        },
      ),
    )
  })
})
