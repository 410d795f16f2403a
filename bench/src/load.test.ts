import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startHttpListener } from '@switchyard/stack/services/http-listener.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import type { LoadOptions } from './load-options.ts'
import { createMeter } from './meter.ts'
import { runMeasurement } from './run-measurement.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const counted = z.object({
  total: z.number(),
  completed: z.number(),
  failed: z.number(),
  perSecond: z.number(),
  traced: z.array(z.object({ number: z.number(), dueAtMs: z.number(), endedAtMs: z.number() })),
})

/** A server that notes the key of each request and answers after a pause. */
async function startServer(pauseMs: (request: number) => number) {
  const keys: unknown[] = []
  const listener = await startHttpListener(await freePort(), (request, response) => {
    const number = keys.push(request.headers['x-api-key'])
    setTimeout(() => response.setHeader('content-length', 2).end('{}'), pauseMs(number))
  })
  stops.push(() => listener.stop())
  return { keys, url: listener.url }
}

const load = (origin: string, change: Partial<LoadOptions>): LoadOptions => ({
  origin,
  path: '/',
  headers: { 'content-type': 'application/json' },
  apiKeys: [],
  body: '{"id":"{uuid}"}',
  connections: 2,
  warmUpSeconds: 0.5,
  seconds: 1,
  isTraced: false,
  ...change,
})
const run = async (options: LoadOptions) => {
  const meter = createMeter(tmpdir(), { own: process.pid })
  const result = counted.parse(await runMeasurement(join(import.meta.dirname, 'load.ts'), options, meter))
  return { ...result, ...meter.read() }
}

it('counts neither requests nor time of the warm-up, and meters the disk meanwhile', async () => {
  const server = await startServer(() => 5)
  const { total, completed, perSecond, fdatasyncMs, diskSamples } = await run(load(server.url, {}))
  expect(total).toBe(server.keys.length)
  expect(completed).toBeLessThan(total)
  expect(perSecond).toBe(completed)
  expect(diskSamples.length).toBeGreaterThan(2)
  expect(fdatasyncMs).toBeGreaterThan(0)
})

it('sends for several organisations in turns', async () => {
  const server = await startServer(() => 1)
  await run(load(server.url, { apiKeys: ['a', 'b', 'c'], perSecond: 30 }))
  const shares = ['a', 'b', 'c'].map((key) => server.keys.filter((seen) => seen === key).length)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
  expect(Math.min(...shares)).toBeGreaterThan(5)
})

it('counts the latency at a fixed rate from when a request was due, also of those open at the end', async () => {
  const server = await startServer((request) => (request > 40 ? 1_500 : 1))
  const { traced } = await run(load(server.url, { perSecond: 50, isTraced: true }))
  const slow = traced.filter(({ dueAtMs, endedAtMs }) => endedAtMs - dueAtMs > 1_400)
  expect(slow.length).toBeGreaterThan(20)
})

it('takes answers that come in chunks, with the status that the server is known to give', async () => {
  let asked = 0
  const listener = await startHttpListener(await freePort(), (_request, response) => {
    asked += 1
    response.writeHead(201)
    response.write('{"id":')
    setTimeout(() => response.end('7}'), 2)
  })
  stops.push(() => listener.stop())
  const { total, failed } = await run(load(listener.url, { okStatus: 201 }))
  expect([total, failed]).toEqual([asked, 0])
  expect(total).toBeGreaterThan(10)
})
