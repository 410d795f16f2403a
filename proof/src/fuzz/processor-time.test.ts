import { describe, expect, it } from 'vitest'
import { createCpuWatch } from './processor-time.ts'
import type { Request } from './request.ts'

const post = (body: string): Request => ({ method: 'POST', path: '/', headers: [], body })
const hostile = post('hostile')

/** A process with a processor time of its own, which needs two seconds of it for the hostile request. */
function startProcess() {
  let cpuMs = 0
  const opened = Promise.withResolvers<void>()
  return {
    watch: createCpuWatch(() => cpuMs),
    /** All requests are open until the last one has begun, as those that wait for a busy process are. */
    begin: () => opened.resolve(),
    send: async (request: Request): Promise<void> => {
      await opened.promise
      cpuMs += request === hostile ? 2_000 : 1
    },
  }
}

describe('the processor time of a process that is asked by several callers at once', () => {
  it('convicts the hostile request, and none of those that waited for it', async () => {
    const { watch, begin, send } = startProcess()
    const requests = [post('1'), hostile, ...Array.from({ length: 8 }, (_, index) => post(`${index}`))]
    const sent = requests.map((request) => watch.around(request, request.body ?? '', () => send(request)))
    begin()
    await Promise.all(sent)
    expect(await watch.convict(send)).toEqual([{ request: hostile, describe: 'hostile', cpuMs: 2_000 }])
    expect(watch.line()).toMatch(/ms per request, [\d.]+ µs per byte; 10 requests were measured alone/)
  })

  it('convicts none when all are quick', async () => {
    const { watch, begin, send } = startProcess()
    begin()
    await watch.around(post('1'), 'quick', () => send(post('1')))
    expect(await watch.convict(send)).toEqual([])
  })
})
