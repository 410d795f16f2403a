import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCache } from './bounded-cache.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const ttlMs = 1_000

it('a load that fails is not remembered', async () => {
  const cache = createCache<string>({ limit: 10, ttlMs })
  await expect(cache.get('key', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await cache.get('key', () => Promise.resolve('found'))).toBe('found')
})

it('a load that fails late leaves what a later one has found', async () => {
  const cache = createCache<string>({ limit: 10, ttlMs })
  const slow = Promise.withResolvers<string>()
  const first = cache.get('key', () => slow.promise)
  vi.advanceTimersByTime(ttlMs)
  expect(await cache.get('key', () => Promise.resolve('newer'))).toBe('newer')
  slow.reject(new Error('down'))
  await expect(first).rejects.toThrow('down')
  expect(await cache.get('key', () => Promise.resolve('loaded again'))).toBe('newer')
})
