import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPuncturableKey, deriveLeaf, isPuncturableKey, leafOf, removeLeaf } from './puncturable-key.ts'

const leaf = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from(bytes))
const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 20 })

describe('a puncturable key', () => {
  it('derives the same key for a leaf each time, and another one for each leaf', () => {
    const key = createPuncturableKey()
    fc.assert(
      fc.property(names, (all) => {
        const derived = all.map((name) => deriveLeaf(key, leafOf(name))?.toString('hex'))
        expect(new Set(derived).size).toBe(all.length)
        expect(all.map((name) => deriveLeaf(key, leafOf(name))?.toString('hex'))).toEqual(derived)
      }),
    )
  })

  it('loses exactly the leaves that were removed, whatever their order and however close the others are', () => {
    fc.assert(
      fc.property(fc.array(leaf, { maxLength: 12 }), fc.array(leaf, { maxLength: 12 }), (removed, others) => {
        const neighbours = removed.flatMap((one) =>
          [1, 2, 64, 255].map((mask) => {
            const near = Buffer.from(one)
            near.writeUInt8(near.readUInt8(7) ^ mask, 7)
            return near
          }),
        )
        const key = createPuncturableKey()
        let punctured = key
        for (const one of removed) punctured = removeLeaf(punctured, one)
        const isRemoved = (one: Buffer) => removed.some((gone) => gone.equals(one))
        expect(isPuncturableKey(punctured)).toBe(true)
        for (const one of [...removed, ...others, ...neighbours])
          expect(deriveLeaf(punctured, one)).toEqual(isRemoved(one) ? undefined : deriveLeaf(key, one))
      }),
    )
  })

  it('has no node left from which a removed leaf follows, so removing it twice changes nothing', () => {
    const once = removeLeaf(createPuncturableKey(), leafOf('Ann'))
    expect(removeLeaf(once, leafOf('Ann'))).toEqual(once)
    expect(once.length).toBe(32 * 3 * 41)
  })

  it('belongs to one owner: two keys have no leaf in common', () => {
    const [one, other] = [createPuncturableKey(), createPuncturableKey()]
    expect(deriveLeaf(one, leafOf('Ann'))).not.toEqual(deriveLeaf(other, leafOf('Ann')))
  })
})
