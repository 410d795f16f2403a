import { expect, it } from 'vitest'
import { batchCalls } from './batch-calls.ts'

/** Doubles numbers, and keeps what ran together. */
function doubling(limits: { itemsLimit: number; groupsLimit: number }) {
  const groups: string[] = []
  const releases: (() => void)[] = []
  const call = batchCalls<number, number>({
    ...limits,
    async run(key, items) {
      groups.push(`${key} ${items.join(' ')}`)
      await new Promise<void>((resolve) => releases.push(resolve))
      if (items.includes(13)) throw new Error('thirteen')
      return (item) => item * 2
    },
  })
  const releaseAll = async (): Promise<void> => {
    while (releases.length > 0) {
      for (const release of releases.splice(0)) release()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return { call, groups, releaseAll, turn: () => new Promise((resolve) => setTimeout(resolve, 5)) }
}

it('calls that arrive together run together, each with its own result', async () => {
  const { call, groups, releaseAll, turn } = doubling({ itemsLimit: 10, groupsLimit: 1 })
  const results = Promise.all([call('a', 1), call('a', 2), call('a', 3)])
  await turn()
  await releaseAll()
  expect(await results).toEqual([2, 4, 6])
  expect(groups).toEqual(['a 1 2 3'])
})

it('groups keep to their size, no more than allowed are under way, and keys take turns', async () => {
  const { call, groups, releaseAll, turn } = doubling({ itemsLimit: 2, groupsLimit: 1 })
  const results = Promise.all([1, 2, 3, 4, 5].map((item) => call('many', item)))
  const other = call('few', 6)
  await turn()
  expect(groups).toEqual(['many 1 2'])
  await releaseAll()
  expect(await results).toEqual([2, 4, 6, 8, 10])
  expect(await other).toBe(12)
  expect(groups).toEqual(['many 1 2', 'few 6', 'many 3 4', 'many 5'])
})

it('an item that fails fails alone, and what comes after it still runs', async () => {
  const { call, releaseAll, turn } = doubling({ itemsLimit: 10, groupsLimit: 1 })
  const results = Promise.allSettled([call('a', 12), call('a', 13), call('a', 14)])
  await turn()
  await releaseAll()
  expect((await results).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    24,
    'failed',
    28,
  ])
  const later = call('a', 1)
  await turn()
  await releaseAll()
  expect(await later).toBe(2)
})

it('who comes while a group of the same key is under way waits for the next one; another key does not', async () => {
  const { call, groups, releaseAll, turn } = doubling({ itemsLimit: 10, groupsLimit: 3 })
  const first = call('a', 1)
  await turn()
  const later = Promise.all([call('a', 2), call('b', 3)])
  await turn()
  expect(groups).toEqual(['a 1', 'b 3'])
  const last = call('a', 4)
  await turn()
  await releaseAll()
  expect(await Promise.all([first, later, last])).toEqual([2, [4, 6], 8])
  expect(groups).toEqual(['a 1', 'b 3', 'a 2 4'])
})
