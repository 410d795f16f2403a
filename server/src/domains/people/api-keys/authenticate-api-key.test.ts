import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from '../../../kernel/db/database.ts'
import { toSecret } from '../../../lib/crypto/secrets.ts'
import { createKeyLookup, findUnderAny } from './authenticate-api-key.ts'
import type { AuthenticationKey } from './record.ts'
import { keyHash, newApiKey } from './rules.ts'

const hash = (name: string): Buffer => Buffer.from(name.padEnd(32, '.'))

/** Answers each statement when told to, with the keys that are not revoked at that moment. */
function lookups() {
  const revoked = new Set<string>()
  const asked: string[][] = []
  const answers: (() => void)[] = []
  const db = {
    async batchAcrossOrgs([statement]: readonly CompiledQuery[]) {
      const hashes = statement?.parameters[0] as Buffer[] // the only value of the statement
      asked.push(hashes.map(String))
      const found = hashes.filter((keyHash) => !revoked.has(keyHash.toString()))
      await new Promise<void>((resolve) => answers.push(resolve))
      return [found.map((keyHash) => ({ keyHash, apiKeyId: `id of ${keyHash.toString()}` }))]
    },
  } as unknown as Database // nothing else is called
  const answerAll = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const answer of answers.splice(0)) answer()
  }
  return { find: createKeyLookup(db), revoked, asked, answerAll }
}

it('requests that arrive together share one statement, and each gets its own key', async () => {
  const { find, asked, answerAll } = lookups()
  const found = Promise.all(['a', 'b', 'a', 'c'].map((name) => find(hash(name))))
  await answerAll()
  expect((await found).map((key) => key?.apiKeyId)).toEqual(
    ['a', 'b', 'a', 'c'].map((name) => `id of ${hash(name).toString()}`),
  )
  expect(asked).toEqual([['a', 'b', 'c'].map((name) => hash(name).toString())])
})

it('a request never shares a statement that began before it, so a key that is revoked is refused at once', async () => {
  const { find, revoked, asked, answerAll } = lookups()
  const before = Promise.all(Array.from({ length: 10 }, () => find(hash('a'))))
  await new Promise((resolve) => setTimeout(resolve, 5))
  revoked.add(hash('a').toString())
  const after = find(hash('a'))
  await answerAll()
  await answerAll()
  expect((await before).every((key) => key !== undefined)).toBe(true)
  expect(await after).toBeUndefined()
  expect(asked).toHaveLength(2)
})

it('a key whose hash is renewed between the lookups of one request is found', async () => {
  const [current, old] = [toSecret(Buffer.alloc(32, 1)), toSecret(Buffer.alloc(32, 2))]
  const key = newApiKey('test')
  let stored = keyHash(old, key)
  let lookups = 0
  const findKey = async (asked: Buffer): Promise<AuthenticationKey | undefined> => {
    const found = stored.equals(asked) ? ({ keyHash: stored } as AuthenticationKey) : undefined // nothing else is read
    if (++lookups === 1) stored = keyHash(current, key)
    return found
  }
  expect(await findUnderAny({ findKey, peppers: { accepted: [current, old] } }, key)).toBeDefined()
})
