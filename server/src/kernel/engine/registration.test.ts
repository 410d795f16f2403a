import { createServer, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { createLog } from '../../lib/log.ts'
import {
  maintainRegistration,
  registerWorker,
  type Registration,
  type RegistrationOptions,
} from './registration.ts'

/** Speaks the engine's admin API over real HTTP. */
interface StandIn {
  url: string
  registrations: unknown[]
  /** The answers to the next registrations; the last one repeats. */
  answers: number[]
  knows: boolean
  checks: number
}

let server: Server | undefined
let registration: Registration | undefined

afterEach(async () => {
  registration?.stop()
  registration = undefined
  server?.closeAllConnections()
  if (server?.listening) await new Promise((resolve) => server?.close(resolve))
  server = undefined
})

async function startStandIn(port: number): Promise<StandIn> {
  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}`,
    registrations: [],
    answers: [201],
    knows: true,
    checks: 0,
  }
  server = createServer((request, response) => {
    if (request.method === 'GET') {
      standIn.checks += 1
      return response.writeHead(standIn.knows ? 200 : 404).end('{}')
    }
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      standIn.registrations.push(JSON.parse(text))
      const status = (standIn.answers.length > 1 ? standIn.answers.shift() : standIn.answers[0]) ?? 500
      if (status < 300) standIn.knows = true
      response.writeHead(status).end(JSON.stringify({ id: 'dp_1' }))
    })
  })
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  return standIn
}

const optionsFor = (adminUrl: string, change: Partial<RegistrationOptions> = {}): RegistrationOptions => ({
  adminUrl,
  workerUrl: 'http://worker.test:9080',
  serviceName: 'Things',
  replace: false,
  log: createLog('silent'),
  ...change,
})

test('the worker’s address is registered with the engine', async () => {
  const engine = await startStandIn(await freePort())
  expect(await registerWorker(optionsFor(engine.url))).toBe('dp_1')
  expect(engine.registrations).toEqual([{ uri: 'http://worker.test:9080', force: false }])
})

test('registration waits for an engine that is still starting', async () => {
  const port = await freePort()
  const registering = registerWorker(optionsFor(`http://127.0.0.1:${port}`))
  const engine = await startStandIn(port)
  engine.answers = [503, 500, 201]
  await registering
  expect(engine.registrations).toHaveLength(3)
})

test('registration fails if the engine does not start in time', async () => {
  const registering = registerWorker(optionsFor(`http://127.0.0.1:${await freePort()}`, { patienceMs: 600 }))
  await expect(registering).rejects.toThrow('ECONNREFUSED')
})

test('a rejected registration is not retried', async () => {
  const engine = await startStandIn(await freePort())
  engine.answers = [409]
  await expect(registerWorker(optionsFor(engine.url))).rejects.toThrow('409')
  expect(engine.registrations).toHaveLength(1)
})

test('the worker registers again only with an engine that has lost it', async () => {
  const engine = await startStandIn(await freePort())
  registration = maintainRegistration(optionsFor(engine.url, { checkEveryMs: 10 }))
  await waitUntil(() => engine.checks > 5, { what: 'some checks' })
  expect(engine.registrations).toHaveLength(0)
  engine.knows = false
  engine.answers = [503, 201]
  await waitUntil(() => engine.registrations.length === 2, { what: 'the registration' })
  const before = engine.checks
  await waitUntil(() => engine.checks > before + 5, { what: 'some more checks' })
  expect(engine.registrations).toHaveLength(2)
})
