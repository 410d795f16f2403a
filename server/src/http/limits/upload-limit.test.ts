import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createUploadLimit } from './upload-limit.ts'

class Connection extends EventEmitter {
  destroyed = false
  close(): void {
    this.destroyed = true
    this.emit('close')
  }
}
const replyOf = (raw: Connection): FastifyReply => ({ raw }) as unknown as FastifyReply

let limit: ReturnType<typeof createUploadLimit>
beforeEach(async () => {
  vi.useFakeTimers()
  limit = createUploadLimit()
})
afterEach(() => void vi.useRealTimers())

/** Starts an upload and tells whether it may be read by now. */
function upload(): { connection: Connection; state: () => Promise<'read' | 'waiting' | 'refused'> } {
  const connection = new Connection()
  let outcome: 'read' | 'waiting' | 'refused' = 'waiting'
  limit(replyOf(connection)).then(
    () => (outcome = 'read'),
    () => (outcome = 'refused'),
  )
  return { connection, state: async () => (await vi.advanceTimersByTimeAsync(0), outcome) }
}

it('a third upload waits until one of the two before it has ended', async () => {
  const [first, second, third, fourth] = [upload(), upload(), upload(), upload()]
  expect(await Promise.all([first.state(), second.state(), third.state()])).toEqual([
    'read',
    'read',
    'waiting',
  ])
  first.connection.close()
  expect(await third.state()).toBe('read')
  expect(await fourth.state()).toBe('waiting')
})

it('a waiting upload whose sender has left passes its slot on', async () => {
  const [first, , third, fourth] = [upload(), upload(), upload(), upload()]
  third.connection.close()
  first.connection.close()
  expect(await fourth.state()).toBe('read')
})

it('an upload is refused after ten seconds of waiting, and takes no slot later', async () => {
  const [first, , third, fourth] = [upload(), upload(), upload(), upload()]
  await vi.advanceTimersByTimeAsync(9_999)
  expect(await third.state()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect([await third.state(), await fourth.state()]).toEqual(['refused', 'refused'])
  first.connection.close()
  expect(await upload().state()).toBe('read')
})

it('the hundred and first upload that would wait is refused at once', async () => {
  upload()
  upload()
  const waiting = Array.from({ length: 100 }, upload)
  expect(await upload().state()).toBe('refused')
  expect(await waiting[99]?.state()).toBe('waiting')
})
