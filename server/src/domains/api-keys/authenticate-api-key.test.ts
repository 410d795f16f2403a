import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { createKeyLookup } from './authenticate-api-key.ts'

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
