import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStartGate } from './pace-starts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests the start of calls in order; those that have started are in `begun`. */
function requestStarts(count: number) {
  const gate = createStartGate()
  const begun: { index: number; end: () => void }[] = []
  const start = async (index: number): Promise<unknown> => begun.push({ index, end: await gate.begin() })
  for (let index = 0; index < count; index += 1) start(index).catch(expect.unreachable)
  const indexes = async (): Promise<number[]> => {
    await vi.advanceTimersByTimeAsync(0)
    return begun.map((call) => call.index)
  }
  return { begun, indexes }
}

it('six calls run at a time; the next starts when one has ended, in order of arrival', async () => {
  const { begun, indexes } = requestStarts(8)
  expect(await indexes()).toEqual([0, 1, 2, 3, 4, 5])
  begun[3]!.end()
  begun[3]!.end()
  expect(await indexes()).toEqual([0, 1, 2, 3, 4, 5, 6])
  begun[0]!.end()
  expect(await indexes()).toHaveLength(8)
})

it('a call that takes longer than a tenth of a second gives up its slot, and does so once', async () => {
  const { begun, indexes } = requestStarts(18)
  await vi.advanceTimersByTimeAsync(100)
  expect(await indexes()).toHaveLength(12)
  for (const call of begun.slice(0, 6)) call.end()
  expect(await indexes()).toHaveLength(12)
  begun[6]!.end()
  expect(await indexes()).toHaveLength(13)
})
