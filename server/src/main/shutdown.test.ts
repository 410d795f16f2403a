import { createConnection } from 'node:net'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Agent, request } from 'undici'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startMailbox } from '@switchyard/stack/services/mailbox.ts'
import { newId } from '../lib/ids.ts'
import { mainFile, startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import { credentialHeaders, memberOf, testEnv, useApp } from '../../test/app/test-app.ts'
import { until } from '../../test/app/test-relay.ts'

const app = useApp()
let env: Env
let program: Program | undefined

beforeAll(() => {
  const { pathname } = new URL(app.config.DATABASE_APP_URL)
  env = { ...testEnv(pathname.slice(1), app.identity), LOG_LEVEL: 'info' }
})

afterEach(async () => {
  await program?.stop()
  program = undefined
})

async function start(name: 'api' | 'worker', change: Env = {}): Promise<{ url: string; metricsUrl: string }> {
  const [port, metricsPort, workerPort] = [await freePort(), await freePort(), await freePort()]
  program = await startProgram(mainFile(name), {
    ...env,
    API_PORT: String(port),
    METRICS_PORT: String(metricsPort),
    WORKER_PORT: String(workerPort),
    ENGINE_WORKER_URL: `http://127.0.0.1:${workerPort}`,
    ...change,
  })
  const metricsUrl = `http://127.0.0.1:${metricsPort}`
  await program.untilReady(`${metricsUrl}/readyz`)
  return { url: `http://127.0.0.1:${port}`, metricsUrl }
}

const isRefused = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => resolve((socket.destroy(), false)))
    socket.once('error', () => resolve(true))
  })

const addMember = (url: string, dispatcher: Agent, email = `${newId()}@new-member.test`) => {
  const org = app.seed.orgs[0]!
  return request(`${url}/v1/organizations/${org.org_id}/members`, {
    method: 'POST',
    dispatcher,
    headers: { ...credentialHeaders(memberOf(org, 'org-admin').api_key), 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: newId(), email, first_name: 'A', last_name: 'B', role: 'staff' }),
  })
}

/** Blocks every write to the table until it is released. */
async function lockTable(
  table: string,
): Promise<{ isWaitedFor(): Promise<boolean>; release(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: inject('postgresUrl').replace(
      /\/postgres$/,
      new URL(app.config.DATABASE_APP_URL).pathname,
    ),
  })
  await client.connect()
  await client.query(`begin; lock table ${table} in exclusive mode`)
  return {
    async isWaitedFor() {
      const { rowCount } = await app.owner.query(
        `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
         where datname = current_database() and not granted`,
      )
      return rowCount !== 0
    },
    async release() {
      await client.query('commit')
      await client.end()
    },
  }
}

describe('the api after SIGTERM', () => {
  test('a request in flight completes, new connections are refused, and the process exits with 0', async () => {
    const { url } = await start('api')
    const connections = new Agent()
    const lock = await lockTable('members')
    const inFlight = addMember(url, connections)
    await until('the request to be in flight', () => lock.isWaitedFor())
    program!.signal('SIGTERM')
    await until('new connections to be refused', () => isRefused(url))
    expect(program!.isRunning()).toBe(true)
    await lock.release()
    const answer = await inFlight
    expect(answer.statusCode).toBe(201)
    expect(await answer.body.json()).toMatchObject({ status: 'success', data: { role: 'staff' } })
    expect(await program!.exited).toEqual({ code: 0, signal: null })
    await connections.destroy()
  })

  test('an idle open connection does not delay the shutdown', async () => {
    const { url } = await start('api')
    const connections = new Agent()
    expect((await addMember(url, connections)).statusCode).toBe(201)
    const idle = createConnection(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    await until('the idle connection', () => idle.readyState === 'open')
    program!.signal('SIGTERM')
    expect(await program!.exited).toEqual({ code: 0, signal: null })
    await connections.destroy()
  })
})

describe('the worker after SIGTERM', () => {
  test('an email that is being sent is sent and recorded once, and the process exits with 0', async () => {
    const mailbox = await startMailbox(await freePort())
    const { metricsUrl } = await start('worker', { SMTP_URL: mailbox.smtpUrl })
    await until('the notices of the seed to be sent', async () => {
      const open = await app.owner.query(`select from notifications where status <> 'sent'`)
      return open.rowCount === 0
    })
    mailbox.hold()
    const email = `${newId()}@new-member.test`
    const connections = new Agent()
    expect((await addMember(app.url, connections, email)).statusCode).toBe(201)
    await until('the mail to be on its way', () => mailbox.counts().get(email) === 1)
    program!.signal('SIGTERM')
    // Metrics are served until the end, so that draining can be observed; the worker endpoint is closed.
    await until('the worker to stop', async () => program!.output().includes('"msg":"stopping"'))
    expect(program!.isRunning()).toBe(true)
    expect((await request(`${metricsUrl}/metrics`)).statusCode).toBe(200)
    mailbox.release()
    expect(await program!.exited).toEqual({ code: 0, signal: null })
    const { rows } = await app.owner.query('select status from notifications where recipient = $1', [email])
    expect(rows).toEqual([{ status: 'sent' }])
    expect(mailbox.counts().get(email)).toBe(1)
    await connections.destroy()
    await mailbox.stop()
  })

  test('while it waits for an unreachable engine, it exits with 0 at once', async () => {
    program = await startProgram(mainFile('worker'), {
      ...env,
      WORKER_PORT: '0',
      METRICS_PORT: '0',
      ENGINE_ADMIN_URL: `http://127.0.0.1:${await freePort()}`,
      ENGINE_WORKER_URL: 'http://127.0.0.1:1',
    })
    await until('the first try', () => program!.output().includes('not registered yet'), 30_000)
    program.signal('SIGTERM')
    expect(await program.exited).toEqual({ code: 0, signal: null })
  }, 60_000)
})

test('an uncaught error is logged without its message, and the process exits with 1', async () => {
  program = await startProgram(
    fileURLToPath(new URL('../../test/processes/throwing-program.ts', import.meta.url)),
    {},
  )
  expect(await program.exited).toEqual({ code: 1, signal: null })
  const [line, ...others] = program.output().trim().split('\n')
  expect(others).toEqual([])
  expect(JSON.parse(line!)).toMatchObject({
    level: 'fatal',
    msg: 'uncaught exception',
    err: { type: 'Error' },
  })
  expect(program.output()).not.toContain('4111')
})
