import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createUploadLimit } from './upload-limit.ts'

class Connection extends EventEmitter {
  destroyed = false
  complete = false
  socket = { bytesRead: 0 }
  close(): void {
    this.destroyed = true
    this.emit('close')
  }
}

let limit: ReturnType<typeof createUploadLimit>
beforeEach(async () => {
  vi.useFakeTimers()
  limit = createUploadLimit()
})
afterEach(() => void vi.useRealTimers())

type State = 'read' | 'waiting' | 'refused'

/** Starts an upload and tells whether it may be read by now. */
function upload(orgId: string): { connection: Connection; state: () => Promise<State> } {
  const connection = new Connection()
  let outcome: State = 'waiting'
  const request = { caller: { orgId }, raw: connection } as unknown as FastifyRequest
  const reply = { raw: connection, header: () => undefined } as unknown as FastifyReply
  limit(request, reply).then(
    () => (outcome = 'read'),
    () => (outcome = 'refused'),
  )
  return { connection, state: async () => (await vi.advanceTimersByTimeAsync(0), outcome) }
}
const uploads = (...orgIds: string[]) => orgIds.map((orgId) => upload(orgId))
const statesOf = (of: ReturnType<typeof uploads>): Promise<State[]> =>
  Promise.all(of.map(({ state }) => state()))

it('an organisation has one upload read at a time, and the others of it wait for that one', async () => {
  const started = uploads('a', 'a', 'a', 'b')
  expect(await statesOf(started)).toEqual(['read', 'waiting', 'waiting', 'read'])
  started[0]?.connection.close()
  expect(await statesOf(started)).toEqual(['read', 'read', 'waiting', 'read'])
})

it('a third organisation waits until an upload of the two before it has ended, and before their next ones', async () => {
  const started = uploads('a', 'b', 'a', 'c', 'd')
  expect((await statesOf(started)).slice(2)).toEqual(['waiting', 'waiting', 'waiting'])
  started[1]?.connection.close()
  expect((await statesOf(started)).slice(2)).toEqual(['waiting', 'read', 'waiting'])
  started[0]?.connection.close()
  expect((await statesOf(started)).slice(2)).toEqual(['read', 'read', 'waiting'])
})

it('a waiting upload whose sender has left passes its slot on', async () => {
  const [first, second, third] = uploads('a', 'a', 'a')
  second?.connection.close()
  first?.connection.close()
  expect(await third?.state()).toBe('read')
})

it('an upload is refused after ten seconds of waiting, and takes no slot later', async () => {
  const [first, second] = uploads('a', 'a')
  if (first) first.connection.complete = true
  await vi.advanceTimersByTimeAsync(9_999)
  expect(await second?.state()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(await second?.state()).toBe('refused')
  first?.connection.close()
  expect(await upload('a').state()).toBe('read')
})

it('the sixth upload of an organisation that would wait is refused at once, and others still wait', async () => {
  uploads('a', 'b')
  const waiting = uploads('a', 'a', 'a', 'a', 'a', 'a', 'e')
  expect(await statesOf(waiting)).toEqual([
    ...Array.from({ length: 5 }, () => 'waiting'),
    'refused',
    'waiting',
  ])
})

it('a body that arrives too slowly is ended after five seconds, and a slow honest one is not', async () => {
  const [slow, honest] = uploads('slow', 'honest')
  if (!slow || !honest) throw new Error('two uploads were started')
  const ended: string[] = []
  for (const [name, { connection }] of Object.entries({ slow, honest }))
    connection.on('error', ({ code }) => ended.push(`${name} ${code}`))
  for (let second = 0; second < 12; second++) {
    slow.connection.socket.bytesRead += 1_000
    honest.connection.socket.bytesRead += 5_000
    await vi.advanceTimersByTimeAsync(1_000)
    if (second < 4) expect(ended).toEqual([])
  }
  expect(ended).toEqual(['slow UPLOAD_TOO_SLOW'])
})
