import { expect, it } from 'vitest'
import { batchCalls } from './batch-calls.ts'

/** Doubles numbers, and records which items ran in one batch. */
function doubling(limits: { itemsLimit: number; batchesLimit: number; batchesPerKey?: number }) {
  const batches: string[] = []
  const releases: (() => void)[] = []
  const call = batchCalls<number, number>({
    ...limits,
    async run(key, items) {
      batches.push(`${key} ${items.join(' ')}`)
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
  return { call, batches, releaseAll, nextTick: () => new Promise((resolve) => setTimeout(resolve, 5)) }
}

it('calls that arrive together share a batch, each with its own result', async () => {
  const { call, batches, releaseAll, nextTick } = doubling({ itemsLimit: 10, batchesLimit: 1 })
  const results = Promise.all([call('a', 1), call('a', 2), call('a', 3)])
  await nextTick()
  await releaseAll()
  expect(await results).toEqual([2, 4, 6])
  expect(batches).toEqual(['a 1 2 3'])
})

it('batches respect their size and number, and keys are served round-robin', async () => {
  const { call, batches, releaseAll, nextTick } = doubling({ itemsLimit: 2, batchesLimit: 1 })
  const results = Promise.all([1, 2, 3, 4, 5].map((item) => call('many', item)))
  const other = call('few', 6)
  await nextTick()
  expect(batches).toEqual(['many 1 2'])
  await releaseAll()
  expect(await results).toEqual([2, 4, 6, 8, 10])
  expect(await other).toBe(12)
  expect(batches).toEqual(['many 1 2', 'few 6', 'many 3 4', 'many 5'])
})

it('an item that fails does not fail the others, and later items still run', async () => {
  const { call, releaseAll, nextTick } = doubling({ itemsLimit: 10, batchesLimit: 1 })
  const results = Promise.allSettled([call('a', 12), call('a', 13), call('a', 14)])
  await nextTick()
  await releaseAll()
  expect((await results).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    24,
    'failed',
    28,
  ])
  const later = call('a', 1)
  await nextTick()
  await releaseAll()
  expect(await later).toBe(2)
})

it('a call waits while a batch of its key is in flight, and a call with another key does not', async () => {
  const { call, batches, releaseAll, nextTick } = doubling({ itemsLimit: 10, batchesLimit: 3 })
  const first = call('a', 1)
  await nextTick()
  const later = Promise.all([call('a', 2), call('b', 3)])
  await nextTick()
  expect(batches).toEqual(['a 1', 'b 3'])
  const last = call('a', 4)
  await nextTick()
  await releaseAll()
  expect(await Promise.all([first, later, last])).toEqual([2, [4, 6], 8])
  expect(batches).toEqual(['a 1', 'b 3', 'a 2 4'])
})

it('a key has as many batches in flight as it may, so that one that hangs does not stop the others', async () => {
  const { call, batches, releaseAll, nextTick } = doubling({
    itemsLimit: 10,
    batchesLimit: 5,
    batchesPerKey: 2,
  })
  const results: Promise<number>[] = []
  for (const item of [1, 2, 3, 4]) {
    results.push(call('a', item))
    await nextTick()
  }
  expect(batches).toEqual(['a 1', 'a 2'])
  await releaseAll()
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8])
  expect(batches).toEqual(['a 1', 'a 2', 'a 3 4'])
})
