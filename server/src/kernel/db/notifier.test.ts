import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNotifier } from './notifier.ts'

let sent: string[]
const notifier = () =>
  createNotifier(async (channel) => {
    sent.push(channel)
  })
const commit = (...channels: string[]) => ({ result: undefined, channels: new Set(channels) })

beforeEach(() => {
  sent = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test('the first commit after a pause is announced at once', async () => {
  const notify = notifier()
  notify(commit('a'))
  expect(sent).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(100)
  notify(commit('a'))
  expect(sent).toEqual(['a', 'a'])
})

test('the commits of the next few milliseconds are announced together, by channel', async () => {
  const notify = notifier()
  for (let count = 0; count < 50; count += 1) notify(commit('a'))
  notify(commit('b'))
  expect(sent).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toEqual(['a', 'b', 'a'])
})

test('a process that stops announces what is pending, and waits until it was sent', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const notify = createNotifier((channel) => {
    sent.push(channel)
    return promise
  })
  notify(commit('a'))
  notify(commit('a'))
  let isFlushed = false
  const flushing = notify.flush().then(() => (isFlushed = true))
  await vi.advanceTimersByTimeAsync(100)
  expect({ sent, isFlushed }).toEqual({ sent: ['a', 'a'], isFlushed: false })
  resolve()
  await flushing
  expect(isFlushed).toBe(true)
})
