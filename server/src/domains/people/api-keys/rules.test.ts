import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isWellFormedKey,
  isWithin,
  keyHash,
  keyPrefix,
  keyStatus,
  newApiKey,
  type KeyStatus,
} from './rules.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'

describe('an API key', () => {
  it.each(['live', 'test'] as const)(
    'of mode %s has its prefix, 32 random bytes in base62 and a checksum',
    (mode) => {
      const key = newApiKey(mode)
      expect(key).toMatch(new RegExp(`^sy_${mode}_[0-9A-Za-z]{49}$`))
      expect(isWellFormedKey(key)).toBe(true)
    },
  )

  it('is unique', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newApiKey('test'))).size).toBe(1000)
  })

  it('with any one character changed is recognised as a typo', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...alphabet.split('')), (at, character) => {
        const key = newApiKey('live')
        const index = at % key.length
        fc.pre(key[index] !== character)
        expect(isWellFormedKey(key.slice(0, index) + character + key.slice(index + 1))).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('truncated or extended is not well-formed', () => {
    const key = newApiKey('live')
    for (let length = 0; length < key.length; length++)
      expect(isWellFormedKey(key.slice(0, length))).toBe(false)
    for (const more of ['0', ' ', '\n']) expect(isWellFormedKey(key + more)).toBe(false)
  })

  it('shows too little in its prefix to be guessed', () => {
    const key = newApiKey('live')
    expect(keyPrefix(key)).toBe(key.slice(0, 12))
  })

  it('is stored as a hash that needs the pepper', () => {
    const key = newApiKey('live')
    expect(keyHash({ bytes: Buffer.alloc(32, 1) }, key)).toHaveLength(32)
    expect(keyHash({ bytes: Buffer.alloc(32, 1) }, key)).not.toEqual(
      keyHash({ bytes: Buffer.alloc(32, 2) }, key),
    )
  })
})

describe('the status of a key', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const before = new Date(now.getTime() - 1)
  const after = new Date(now.getTime() + 1)
  const table: [revokedAt: Date | null, expiresAt: Date | null, isReplaced: boolean, status: KeyStatus][] = [
    [null, null, false, 'active'],
    [null, after, false, 'active'],
    [null, null, true, 'expiring'],
    [null, after, true, 'expiring'],
    [null, now, false, 'expired'],
    [null, before, false, 'expired'],
    [null, now, true, 'expired'],
    [null, before, true, 'expired'],
    [before, null, false, 'revoked'],
    [before, null, true, 'revoked'],
    [before, after, false, 'revoked'],
    [before, after, true, 'revoked'],
    [before, before, false, 'revoked'],
    [before, before, true, 'revoked'],
  ]
  it.each(table)('revoked %s, expires %s, replaced %s: %s', (revokedAt, expiresAt, isReplaced, status) => {
    expect(keyStatus({ revokedAt, expiresAt, isReplaced }, now)).toBe(status)
  })
})

describe('scopes', () => {
  it('are within others if they are a subset; null means all', () => {
    const scopes = fc.option(fc.subarray(['a', 'b', 'c', 'd']))
    fc.assert(
      fc.property(scopes, scopes, (inner, outer) => {
        const everything = ['a', 'b', 'c', 'd', 'what a later version adds']
        expect(isWithin(inner, outer)).toBe(
          new Set(inner ?? everything).isSubsetOf(new Set(outer ?? everything)),
        )
      }),
    )
  })
})
