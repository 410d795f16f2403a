import { expect, it } from 'vitest'
import { retryOnConflict } from './retry-on-conflict.ts'

const stale = Object.assign(new Error('the version is stale'), { code: 'SY001' })
const taken = Object.assign(new Error('the key is taken'), { code: '23505' })

/** Fails with each of the errors once, then succeeds with the number of the retry. */
const failing = (...errors: Error[]) => {
  const retries: number[] = []
  const write = async (retry: number): Promise<number> => {
    retries.push(retry)
    const error = errors.shift()
    if (error) throw error
    return retry
  }
  return { retries, write }
}

it('a write without a conflict runs once', async () => {
  const { write, retries } = failing()
  expect(await retryOnConflict('the row', write)).toBe(0)
  expect(retries).toEqual([0])
})

it('a write runs again after each conflict', async () => {
  const { write, retries } = failing(stale, stale)
  expect(await retryOnConflict('the row', write)).toBe(2)
  expect(retries).toEqual([0, 1, 2])
})

it('another error is thrown at once', async () => {
  const { write, retries } = failing(stale, taken)
  await expect(retryOnConflict('the row', write)).rejects.toBe(taken)
  expect(retries).toEqual([0, 1])
})

it('the caller decides what else is a conflict', async () => {
  const { write } = failing(taken, taken)
  expect(await retryOnConflict('the row', write, (error) => error === taken)).toBe(2)
})

it('a tenth conflict ends it, with the last error as the cause', async () => {
  const { write, retries } = failing(...Array.from({ length: 10 }, () => stale))
  await expect(retryOnConflict('the row', write)).rejects.toMatchObject({
    message: 'the row changed 10 times while it was written',
    cause: stale,
  })
  expect(retries).toHaveLength(10)
})
