import { fork, type ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { cpuMsOfProcess, createCpuWatch } from './processor-time.ts'
import type { Request } from './request.ts'

/** A server with a planted regular expression that takes quadratic time. */
const plantedServer = `
import { createServer } from 'node:http'
createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  Buffer.concat(chunks).toString().replace(/0+$/, '')
  response.end()
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send('ready'))
`

let scratch: Awaited<ReturnType<typeof scratchDir>>
let server: ChildProcess
let url: string
beforeAll(async () => {
  scratch = await scratchDir()
  const port = await freePort()
  const file = join(scratch.path, 'server.mjs')
  await writeFile(file, plantedServer)
  server = fork(file, [String(port)])
  await new Promise((resolve) => server.once('message', resolve))
  url = `http://${loopback}:${port}`
})
afterAll(async () => {
  server.kill()
  await scratch.remove()
})

const post = (body: string): Request => ({ method: 'POST', path: '/', headers: [], body })
const send = async (request: Request): Promise<string> =>
  (await fetch(url, { method: request.method, body: request.body ?? '' })).text()

/** The quadratic pattern takes seconds, and many more beside other tests. */
const limitMs = 240_000

describe(
  'the processor time of a process that is asked by several callers at once',
  { timeout: limitMs },
  () => {
    it('convicts the request with the quadratic pattern, and none of those that waited for it', async () => {
      const watch = createCpuWatch(() => cpuMsOfProcess(server.pid!))
      const hostile = post(`${'0'.repeat(60_000)}1`)
      const requests = [post('1'), hostile, ...Array.from({ length: 8 }, (_, index) => post(`${index}`))]
      await Promise.all(
        requests.map((request) => watch.around(request, request.body ?? '', () => send(request))),
      )
      const convicted = await watch.convict(send)
      expect(convicted.map(({ request }) => request)).toEqual([hostile])
      expect(convicted[0]?.cpuMs).toBeGreaterThan(1_000)
      expect(watch.line()).toMatch(/ms per request, [\d.]+ µs per byte; \d+ requests were measured alone/)
    })

    it('convicts none when all are quick', async () => {
      const watch = createCpuWatch(() => cpuMsOfProcess(server.pid!))
      const request = post('0'.repeat(200))
      await watch.around(request, 'quick', () => send(request))
      expect(await watch.convict(send)).toEqual([])
    })
  },
)
