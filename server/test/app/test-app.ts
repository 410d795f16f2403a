import { randomBytes } from 'node:crypto'
import type { Tracer } from '@opentelemetry/api'
import pg from 'pg'
import { request } from 'undici'
import { inject } from 'vitest'
import { seedAll, type SeededOrg, type SeedResult } from '@switchyard/stack/seeds/seed.ts'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import type { HttpClient } from '../../src/connectors/kit/http-client.ts'
import type { PollSchedule } from '../../src/domains/payments/attempts/rules.ts'
import { describeEvents } from '../../src/domains/events/webhooks/describe-events.ts'
import { buildServer } from '../../src/http/server.ts'
import type { App } from '../../src/http/app.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { readConfig, type Config } from '../../src/main/config.ts'
import { createDeps, type Deps } from '../../src/main/deps.ts'
import { apiRoutes } from '../../src/main/routes.ts'
import { templateDatabase } from './global-setup.ts'
import { findUndescribedEvents } from '../contract/event-check.ts'
import { clockedDatabase } from './clocked-database.ts'
import { startTestIdentity, type TestIdentity } from './identity.ts'
import { closeInOrder } from './close-in-order.ts'
import { prepareClose } from './close-server.ts'
import { createOpenApiCheck } from '../contract/openapi-check.ts'
import { useStarted } from './use-started.ts'

export interface CallOptions {
  /** An API key, or raw headers for tests of authentication. */
  as?: string
  headers?: Record<string, string>
  body?: unknown
  /** Sent unchanged, for bodies that JSON.stringify cannot produce. */
  rawBody?: string
  /** The call changes nothing although it succeeds, so it leaves no audit row. */
  unaudited?: boolean
}

export interface CallAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: Json
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into answers by name; the OpenAPI check has proven their shape
export type Json = any

export interface TestApp {
  url: string
  app: App
  config: Config
  deps: Deps
  identity: TestIdentity
  seed: SeedResult
  owner: pg.Pool
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>
  close(): Promise<void>
}

export interface TestAppOptions {
  env?: Record<string, string>
  /** The time of the whole installation. */
  clock?: Clock
  /** The time of the process alone, which then differs from that of the database. */
  processClock?: Clock
  logTo?: NodeJS.WritableStream
  sendDeadlineMs?: number
  /** How long a request waits for a connection to the database. */
  connectTimeoutMs?: number
  pollSchedule?: PollSchedule
  /** The client with which connectors call their providers. */
  http?: HttpClient
  tracer?: Tracer
}

/** `startTestApp` for the tests of a file. */
export const useApp = (options: TestAppOptions = {}): TestApp =>
  useStarted(
    () => startTestApp(options),
    (app) => app.close(),
  )

/** On a busy machine a request waits for a connection, instead of failing in the middle of a test. */
const defaultConnectTimeoutMs = 30_000

const databaseOf = ({ clock, processClock, connectTimeoutMs = defaultConnectTimeoutMs }: TestAppOptions) => ({
  connectTimeoutMs,
  ...(processClock && { clock: processClock }),
  ...(clock && { clock, database: (db: Database) => clockedDatabase(db, clock) }),
})

/** The document is the same for every app of a worker, and making it takes most of the time of a start. */
let sharedCheck: ReturnType<typeof createOpenApiCheck> | undefined

/** The whole API over HTTP on its own database, with two organisations and the operator. */
export async function startTestApp(overrides: TestAppOptions = {}): Promise<TestApp> {
  const database = await cloneDatabase()
  const identity = await startTestIdentity()
  // The port is chosen before the server listens, because providers need the callback URL.
  const port = await freePort()
  const config = readConfig({
    ...testEnv(database.name, identity),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...overrides.env,
  })
  const deps = await createDeps(config, {
    ...databaseOf(overrides),
    ...(overrides.sendDeadlineMs !== undefined && { sendDeadlineMs: overrides.sendDeadlineMs }),
    ...(overrides.pollSchedule && { pollSchedule: overrides.pollSchedule }),
    ...(overrides.http && { http: overrides.http }),
    tracer: overrides.tracer,
    log: createLog(config.LOG_LEVEL, overrides.logTo),
  })
  const app = await buildServer(
    deps,
    {
      publicUrl: config.PUBLIC_URL,
      securityContact: config.SECURITY_CONTACT,
      bodyLimitBytes: config.BODY_LIMIT_BYTES,
      trustProxy: config.TRUST_PROXY,
      rateLimit: {
        perSecond: config.RATE_LIMIT_PER_SECOND,
        burst: config.RATE_LIMIT_BURST,
        orgPerSecond: config.ORG_RATE_LIMIT_PER_SECOND,
        orgBurst: config.ORG_RATE_LIMIT_BURST,
      },
      events: describeEvents(),
    },
    apiRoutes(deps),
  )
  await deps.sanctions.refresh()
  const closeServer = prepareClose(app)
  const url = await app.listen({ host: '127.0.0.1', port })
  const seed = await seedAll(deps)
  sharedCheck ??= createOpenApiCheck(app.swagger() as object) // an OpenAPI 3.1 document
  const check = sharedCheck
  return {
    url,
    app,
    config,
    deps,
    identity,
    seed,
    owner: database.owner,
    async call(method, path, options = {}) {
      const answer = await send(url, method, path, options)
      check(method, path.split('?')[0] ?? path, {
        status: answer.status,
        body: answer.body,
        contentType: undefined,
      })
      if (isWrite(method, path, answer) && options.unaudited !== true)
        await assertAudited(database.owner, answer)
      return answer
    },
    close: async () => {
      await closeServer()
      await closeInOrder({
        'its connections': () => deps.close(),
        'the identity provider': () => identity.close(),
        'the database': () => database.drop(),
      })
    },
  }
}

const isWrite = (method: string, path: string, answer: CallAnswer): boolean =>
  method !== 'GET' &&
  answer.status < 300 &&
  path.startsWith('/v1/') &&
  answer.headers['idempotent-replayed'] === undefined

async function assertAudited(owner: pg.Pool, answer: CallAnswer): Promise<void> {
  const { rowCount } = await owner.query('select from audit_log where request_id = $1', [
    answer.headers['x-request-id'],
  ])
  if (rowCount === 0) throw new Error('a write succeeded without a row in the audit log')
}

async function send(url: string, method: string, path: string, options: CallOptions): Promise<CallAnswer> {
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  const response = await request(`${url}${path}`, {
    method: method as 'GET', // undici types the methods as a closed list
    headers: {
      ...(options.as !== undefined && credentialHeaders(options.as)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.body.text()
  const isJson = String(response.headers['content-type'] ?? '').includes('json')
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  }
}

export const credentialHeaders = (credential: string): Record<string, string> =>
  credential.startsWith('sy_')
    ? { authorization: 'NONE', 'x-api-key': credential }
    : { authorization: `Bearer ${credential}`, 'x-api-key': 'NONE' }

export function testEnv(database: string, identity: TestIdentity): Record<string, string> {
  const serverUrl = inject('postgresUrl')
  return {
    SWITCHYARD_ENV: 'dev',
    LOG_LEVEL: 'error',
    DATABASE_APP_URL: databaseUrl(serverUrl, database, 'switchyard_app'),
    DATABASE_SYSTEM_URL: databaseUrl(serverUrl, database, 'switchyard_system'),
    DATABASE_POOL_SIZE: '10',
    ENGINE_INGRESS_URL: inject('restateIngressUrl'),
    ENGINE_ADMIN_URL: inject('restateAdminUrl'),
    ENGINE_IDENTITY_KEYS: inject('restateIdentityKey'),
    ENGINE_NAMESPACE: `${database}_`,
    JWT_ISSUER: identity.issuer,
    JWT_AUDIENCE: identity.audience,
    JWT_JWKS_URL: identity.jwksUrl,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Switchyard <no-reply@switchyard.test>',
    RATE_FEED_URL: 'http://127.0.0.1:1/rates',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    AUTH_FAILURES_PER_SECOND: '100000',
    AUTH_FAILURES_BURST: '100000',
    PAGE_RATE_LIMIT_PER_SECOND: '100000',
    PAGE_RATE_LIMIT_BURST: '100000',
  }
}

export async function cloneDatabase(): Promise<{ name: string; owner: pg.Pool; drop(): Promise<void> }> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  // Files clone concurrently, and Postgres copies a template for one session at a time.
  await server.query('select pg_advisory_lock(1)')
  await server.query(`create database ${name} template ${templateDatabase}`)
  await server.end()
  const owner = new pg.Pool({ connectionString: databaseUrl(serverUrl, name, 'postgres'), max: 4 })
  owner.on('error', () => undefined)
  return {
    name,
    owner,
    async drop() {
      const undescribed = await findUndescribedEvents(owner)
      await owner.end()
      const client = new pg.Client({ connectionString: serverUrl })
      await client.connect()
      await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
      if (undescribed.length > 0)
        throw new Error(`webhooks/events.ts does not describe these events:\n${undescribed.join('\n')}`)
    },
  }
}

export function memberOf(org: SeededOrg | undefined, role: string): SeededOrg['members'][number] {
  const member = org?.members.find((candidate) => candidate.role === role)
  if (!member) throw new Error(`no ${role}`)
  return member
}
