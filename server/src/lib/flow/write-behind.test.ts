import { describe, expect, it, vi } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { createWriteBehind } from './write-behind.ts'

const setUp = (write: (items: number[]) => Promise<void>, limit = 3) => {
  const dropped = vi.fn<(count: number, error?: unknown) => void>()
  return { dropped, buffer: createWriteBehind<number>({ limit, everyMs: 5, write, onDropped: dropped }) }
}

describe('items that are written behind requests', () => {
  it('are written together, once, some time after the first', async () => {
    const batches: number[][] = []
    const { buffer } = setUp(async (items) => void batches.push(items))
    buffer.add(1)
    buffer.add(2)
    expect(batches).toEqual([])
    await vi.waitFor(() => expect(batches).toEqual([[1, 2]]), defaultWaitMs)
    await buffer.flush()
    expect(batches).toHaveLength(1)
  })

  it('are dropped and counted when the buffer is full', async () => {
    const batches: number[][] = []
    const { buffer, dropped } = setUp(async (items) => void batches.push(items))
    for (const item of [1, 2, 3, 4, 5]) buffer.add(item)
    await buffer.flush()
    expect(batches).toEqual([[1, 2, 3]])
    expect(dropped.mock.calls).toEqual([[1], [1]])
  })

  it('are given up and counted when they cannot be written', async () => {
    const broken = new Error('no database')
    const { buffer, dropped } = setUp(() => Promise.reject(broken))
    buffer.add(1)
    buffer.add(2)
    await buffer.flush()
    expect(dropped.mock.calls).toEqual([[2, broken]])
  })

  it('wait in the buffer while the batch before them is written', async () => {
    const writes: (() => void)[] = []
    const { buffer, dropped } = setUp(() => new Promise((resolve) => void writes.push(resolve)))
    buffer.add(1)
    const first = buffer.flush()
    await vi.waitFor(() => expect(writes).toHaveLength(1), defaultWaitMs)
    for (const item of [2, 3, 4, 5]) buffer.add(item)
    const second = buffer.flush()
    expect(writes).toHaveLength(1)
    writes[0]?.()
    await first
    await vi.waitFor(() => expect(writes).toHaveLength(2), defaultWaitMs)
    writes[1]?.()
    await second
    expect(dropped.mock.calls).toEqual([[1]])
  })
})
