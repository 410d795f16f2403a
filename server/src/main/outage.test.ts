import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Mailbox } from '@switchyard/stack/services/mailbox.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'
import { connectDatabase } from '../kernel/db/database.ts'
import { newId } from '../lib/ids.ts'
import { migratedDatabase } from '@switchyard/stack/installation/migrated-database.ts'
import { memberOf, startTestApp, type CallAnswer, type TestApp } from '../../test/app/test-app.ts'
import { until } from '../../test/app/test-relay.ts'
import { startTestMailbox, startTestWorker, type TestWorker } from '../../test/app/test-worker.ts'

const poolSize = 3

let dataDir: string
let postgres: Postgres
let restate: Restate
let mailbox: Mailbox
let app: TestApp
let worker: TestWorker
let owner: pg.Pool

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'switchyard-outage-'))
  chmodSync(dataDir, 0o755) // Postgres does not run as root, so its user must be able to enter
  postgres = await startPostgres({
    dataDir: join(dataDir, 'postgres'),
    port: await freePort(),
    fast: true,
    settings: { synchronous_commit: 'on' }, // what was committed must outlive a kill
  })
  restate = await startRestate({
    dataDir: join(dataDir, 'restate'),
    ingressPort: await freePort(),
    adminPort: await freePort(),
    nodePort: await freePort(),
  })
  mailbox = await startTestMailbox()
  const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
  owner = new pg.Pool({ connectionString: ownerUrl })
  owner.on('error', () => undefined)
  app = await startTestApp({
    connectTimeoutMs: 2_000,
    env: {
      ...urls,
      LOG_LEVEL: 'silent',
      DATABASE_POOL_SIZE: String(poolSize),
      ENGINE_INGRESS_URL: restate.ingressUrl,
      ENGINE_ADMIN_URL: restate.adminUrl,
      ENGINE_IDENTITY_KEYS: restate.identityKey,
      SMTP_URL: mailbox.smtpUrl,
    },
  })
  worker = await startTestWorker(app)
  await until('the notices of the seed to be sent', async () => {
    const open = await owner.query(`select from notifications where status <> 'sent'`)
    return open.rowCount === 0
  })
})

afterEach(async () => {
  mailbox.release()
  await Promise.all([postgres.start(), restate.start()])
})

afterAll(async () => {
  await worker.stop()
  await app.close()
  await owner.end()
  await mailbox.stop()
  await Promise.all([restate.stop(), postgres.stop()])
  rmSync(dataDir, { recursive: true, force: true })
})

const org = () => app.seed.orgs[0]!
const membersPath = () => `/v1/organizations/${org().org_id}/members`

/** This database has its own owner, so the test app cannot check the audit rows of its responses. */
const call = (method: string, path: string, body?: object): Promise<CallAnswer> =>
  app.call(method, path, {
    as: memberOf(org(), 'org-admin').api_key,
    unaudited: true,
    ...(body && { body }),
  })

const read = () => call('GET', membersPath())
const add = (email = `${newId()}@new-member.test`) =>
  call('POST', membersPath(), { user_id: newId(), email, first_name: 'A', last_name: 'B', role: 'staff' })

function expectUnavailable(answer: CallAnswer): void {
  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toBe('1')
  expect(answer.body).toEqual({
    status: 'error',
    message: expect.stringContaining('Try again shortly.'),
    code: 'SERVICE_UNAVAILABLE',
    request_id: answer.headers['x-request-id'],
  })
}

const untilSent = (email: string) =>
  until('the notice to be recorded as sent', async () => {
    const query = `select from notifications where recipient = $1 and status = 'sent'`
    return (await owner.query(query, [email])).rowCount === 1
  })

describe('Postgres is stopped', () => {
  test.each(['stop', 'kill'] as const)(
    'by %s: requests fail with 503, readiness names it, and everything recovers',
    async (way) => {
      await postgres[way]()
      for (const answer of await Promise.all([read(), add(), read(), add()])) expectUnavailable(answer)
      const readiness = await app.call('GET', '/readyz')
      expect(readiness.status).toBe(503)
      expect(readiness.body).toEqual({
        status: 'not_ready',
        dependencies: { postgres: 'down', engine: 'ok', sanctions_lists: 'ok', clock: 'ok' },
      })
      expect((await app.call('GET', '/healthz')).status).toBe(200)

      await postgres.start()
      await until('an answer', async () => (await read()).status === 200)
      await until('readiness', async () => (await app.call('GET', '/readyz')).status === 200)
      const email = `${newId()}@new-member.test`
      expect((await add(email)).status).toBe(201)
      await until('the mail, by the same worker and relay', () => mailbox.counts().get(email) === 1)
    },
  )

  test('while an email is being sent: it is recorded afterwards and not sent again', async () => {
    mailbox.hold()
    const email = `${newId()}@new-member.test`
    expect((await add(email)).status).toBe(201)
    await until('the mail to be on its way', () => mailbox.counts().get(email) === 1)
    await postgres.kill()
    mailbox.release()
    await postgres.start()
    await untilSent(email)
    expect(mailbox.counts().get(email)).toBe(1)
  })
})

describe('backends are terminated', () => {
  const terminate = (condition: string) =>
    owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usename <> 'postgres' and ${condition}`,
    )

  test('idle ones are replaced, and no request fails', async () => {
    await Promise.all(Array.from({ length: 10 }, read))
    await terminate(`usename = 'switchyard_app'`)
    await until('the pool to notice', () => app.deps.db.pools().app.total === 0)
    expect((await read()).status).toBe(200)
  })

  test('in a transaction that waits: 503, nothing is written, and the next request succeeds', async () => {
    const client = await owner.connect()
    await client.query('begin; lock table members in exclusive mode')
    const email = `${newId()}@new-member.test`
    const waiting = add(email)
    await until('the call to wait', async () => (await terminate(`wait_event_type = 'Lock'`)).rowCount === 1)
    expectUnavailable(await waiting)
    await client.query('commit')
    client.release()
    expect((await owner.query('select from members where email = $1', [email])).rowCount).toBe(0)
    expect((await add(email)).status).toBe(201)
  })

  test('in a transaction between two statements: the request fails with 503', async () => {
    const cut = app.deps.db.inOrg(org().org_id, async (tx) => {
      await tx.db.selectFrom('members').select('user_id').execute()
      await until(
        'the backend to end',
        async () => (await terminate(`state = 'idle in transaction'`)).rowCount === 0,
      )
      return tx.db.selectFrom('members').select('user_id').execute()
    })
    await expect(cut).rejects.toMatchObject({ status: 503 })
    expect((await read()).status).toBe(200)
  })
})

describe('more concurrent requests than connections', () => {
  test('short ones wait for a connection, and all succeed', async () => {
    const answers = await Promise.all(Array.from({ length: poolSize * 10 }, read))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('while all connections are in use: 503 after a short wait, and the running requests finish', async () => {
    const client = await owner.connect()
    await client.query('begin; lock table members in exclusive mode')
    const holding = Array.from({ length: poolSize }, () => add())
    await until('all connections to be held', async () => {
      const query = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await owner.query(query)).rowCount === poolSize
    })
    const answers = await Promise.all(Array.from({ length: poolSize * 4 }, read))
    await client.query('commit')
    client.release()
    for (const answer of answers) expectUnavailable(answer)
    expect((await Promise.all(holding)).map(({ status }) => status)).toEqual(holding.map(() => 201))
    expect((await read()).status).toBe(200)
  })

  test('a lock that is not released in time is 503 too', async () => {
    const client = await owner.connect()
    await client.query('begin; lock table members in exclusive mode')
    const answer = await add()
    await client.query('commit')
    client.release()
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
  })
})

test('a query to a database that stops responding fails after a timeout', async () => {
  const sockets: Socket[] = []
  const proxy = createServer((client) => {
    const server = createConnection(postgres.port, '127.0.0.1')
    client.pipe(server).pipe(client)
    sockets.push(client, server)
    for (const socket of [client, server]) socket.on('error', () => undefined)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  const through = (url: string): string => url.replace(`:${postgres.port}/`, `:${port}/`)
  const db = connectDatabase({
    appUrl: through(app.config.DATABASE_APP_URL),
    systemUrl: through(app.config.DATABASE_SYSTEM_URL),
    poolSize: 1,
    statementTimeoutMs: 200,
  })
  await db.ping()
  for (const socket of sockets) socket.unpipe().pause()
  await expect(db.ping()).rejects.toMatchObject({ status: 503 })
  await db.ping()
  for (const socket of sockets) socket.destroy()
  await db.close()
  proxy.close()
})

describe('the engine is stopped', () => {
  test.each(['stop', 'kill'] as const)(
    'by %s: requests succeed, and work continues when it is back',
    async (way) => {
      await restate[way]()
      const emails = Array.from({ length: 5 }, () => `${newId()}@new-member.test`)
      for (const email of emails) expect((await add(email)).status).toBe(201)
      const readiness = await app.call('GET', '/readyz')
      expect(readiness.body).toEqual({
        status: 'not_ready',
        dependencies: { postgres: 'ok', engine: 'down', sanctions_lists: 'ok', clock: 'ok' },
      })
      await restate.start()
      for (const email of emails) await untilSent(email)
      expect(emails.map((email) => mailbox.counts().get(email))).toEqual(emails.map(() => 1))
    },
  )
})
