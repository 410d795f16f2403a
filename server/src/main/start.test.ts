import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mainFile, startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import { startForwarder, type Forwarder } from '@switchyard/stack/services/forwarder.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { installationOrgId } from '../kernel/db/vault.ts'
import { testEnv, useApp } from '../../test/app/test-app.ts'
import { until } from '../../test/app/test-relay.ts'
import { listening } from './process-start.ts'
import { StartError } from './start-error.ts'

/** A process takes seconds to load on a busy machine. */
const startPatienceMs = 40_000

const app = useApp()
let env: Env
let program: Program | undefined
let server: Server | undefined
let forwarder: Forwarder | undefined

beforeAll(() => {
  const { pathname } = new URL(app.config.DATABASE_APP_URL)
  env = {
    ...testEnv(pathname.slice(1), app.identity),
    LOG_LEVEL: 'info',
    METRICS_PORT: '0',
    API_PORT: '0',
    WORKER_PORT: '0',
  }
})

afterEach(async () => {
  await program?.stop()
  program = undefined
  server?.close()
  server = undefined
  await forwarder?.stop()
  forwarder = undefined
})

const start = async (name: 'api' | 'worker', change: Env = {}): Promise<Program> =>
  (program = await startProgram(mainFile(name), { ...env, ...change }))

async function listenOn(port: number): Promise<number> {
  server = createServer((_request, response) => response.end('{"keys":[]}')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a TCP listener has this kind of address
}

describe('a start that cannot succeed', () => {
  test('one sentence is printed for each wrong setting, and no stack', async () => {
    const run = await start('api', { SMTP_URL: '', API_PORT: 'often' })
    expect(await run.exited).toEqual({ code: 1, signal: null })
    expect(run.output().trim().split('\n')).toEqual([
      'API_PORT must be a port from 0 to 65535.',
      'SMTP_URL is not set. It is the mail server, such as smtps://user:PASSWORD@mail.example.com:465.',
    ])
  }, 60_000)

  test('a port that is taken is named with its setting', async () => {
    const taken = await listenOn(0)
    const run = await start('worker', { METRICS_PORT: String(taken) })
    expect(await run.exited).toEqual({ code: 1, signal: null })
    expect(run.output().trim()).toBe(
      `Port ${taken} on 127.0.0.1 is taken by another process: stop that process, or set METRICS_PORT to a free port.`,
    )
  }, 60_000)

  test.each(['api', 'worker'] as const)(
    'the %s with the SECRET_KEY of another installation',
    async (name) => {
      await app.deps.vault.seal(installationOrgId, 'sample', 'sealed under the right key')
      const run = await start(name, { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })
      expect(await run.exited).toEqual({ code: 1, signal: null })
      expect(run.output().trim()).toBe(
        'SECRET_KEY is not the key that the data in this database was encrypted with. Set the one that was kept beside the backups; without it the encrypted data is lost.',
      )
    },
  )

  const address = { port: 80, hostSetting: 'API_HOST', portSetting: 'API_PORT' }
  test.each([
    ['EACCES', 'This user may not listen on port 80: set API_PORT to a port above 1023.'],
    ['EADDRNOTAVAIL', 'API_HOST is 192.0.2.1, which is not an address of this machine.'],
  ])('%s has a sentence of its own', async (code, sentence) => {
    const failed = Promise.reject(Object.assign(new Error(code), { code }))
    await expect(listening({ ...address, host: '192.0.2.1' }, failed)).rejects.toThrow(
      new StartError([sentence]),
    )
  })
})

interface Line {
  dependency?: string
  address?: string
  msg: string
}

const lines = (): Line[] =>
  program!
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line) // the process logs JSON lines

const linesAbout = (dependency: string): Line[] =>
  lines().filter((line) => line.dependency === dependency && line.msg.includes('reached'))

async function expectSaid(titles: Readonly<Record<string, string>>, port: number): Promise<void> {
  const names = Object.keys(titles)
  const isSaid = (): boolean => names.every((name) => linesAbout(name).length > 0)
  await until('the messages', isSaid, startPatienceMs)
  for (const [name, title] of Object.entries(titles))
    expect(linesAbout(name)[0]).toMatchObject({
      address: `127.0.0.1:${port}`,
      msg: `${title} at 127.0.0.1:${port} cannot be reached (ECONNREFUSED)`,
    })
}

describe('a dependency that cannot be reached', () => {
  test('the api says so, with the host, and says when it recovers', async () => {
    const port = await freePort()
    await start('api', {
      DATABASE_APP_URL: env['DATABASE_APP_URL']!.replace(/:\d+\//, `:${port}/`),
      ENGINE_INGRESS_URL: `http://127.0.0.1:${port}`,
      JWT_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    })
    await expectSaid({ postgres: 'Postgres', engine: 'the engine', identity: 'the identity provider' }, port)
    await listenOn(port)
    await until('the recovery', () => linesAbout('identity').length === 2)
    expect(linesAbout('identity')[1]!.msg).toBe(
      `the identity provider at 127.0.0.1:${port} can be reached again`,
    )
  }, 60_000)

  test.each([
    ['api', { postgres: 'ok', engine: 'ok', sanctions_lists: 'ok', clock: 'ok' }],
    ['worker', { postgres: 'ok', engine: 'ok', sanctions_lists: 'ok', clock: 'ok', registration: 'ok' }],
  ] as const)(
    'the %s waits for Postgres, and screens by the lists once it can read them',
    async (name, ready) => {
      const [port, metricsPort, workerPort] = [await freePort(), await freePort(), await freePort()]
      const moved = (url: string | undefined): string => url!.replace(/:\d+\//, `:${port}/`)
      await start(name, {
        DATABASE_APP_URL: moved(env['DATABASE_APP_URL']),
        DATABASE_SYSTEM_URL: moved(env['DATABASE_SYSTEM_URL']),
        METRICS_PORT: String(metricsPort),
        WORKER_PORT: String(workerPort),
        ENGINE_WORKER_URL: `http://127.0.0.1:${workerPort}`,
      })
      await expectSaid({ postgres: 'Postgres' }, port)
      const readiness = async (): Promise<Response> => fetch(`http://127.0.0.1:${metricsPort}/readyz`)
      expect(await (await readiness()).json()).toMatchObject({
        dependencies: { postgres: 'down', sanctions_lists: 'down' },
      })
      forwarder = await startForwarder(port, [Number(new URL(app.config.DATABASE_APP_URL).port)])
      await until('readiness', async () => (await readiness()).ok)
      expect(await (await readiness()).json()).toEqual({ status: 'ready', dependencies: ready })
      expect(program!.isRunning()).toBe(true)
    },
    60_000,
  )

  test('the worker says so about the mail server, also while it waits for the engine', async () => {
    const port = await freePort()
    const nowhere = `http://127.0.0.1:${port}`
    await start('worker', {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      ENGINE_INGRESS_URL: nowhere,
      ENGINE_ADMIN_URL: nowhere,
      ENGINE_WORKER_URL: 'http://127.0.0.1:1',
    })
    await expectSaid({ smtp: 'the mail server', engine: 'the engine' }, port)
  }, 60_000)
})
