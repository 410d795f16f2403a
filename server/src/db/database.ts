import { createHash } from 'node:crypto'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import pg from 'pg'
import { unavailable } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import type { DB } from './generated/schema.ts'

/** An open transaction. */
export interface Tx {
  readonly db: Kysely<DB>
  /** Wakes the channel's listeners once the commit is confirmed; lost in a crash, so listeners also poll. */
  notifyAfterCommit(channel: string): void
}

export interface Database {
  /** A transaction in which row level security shows one organisation and nothing else. */
  inOrg<T>(orgId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** A transaction that sees every organisation. For authentication, the relay and the operator only. */
  acrossOrgs<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement that sees every organisation, without the cost of a transaction. */
  readAcrossOrgs: Kysely<DB>
  ping(): Promise<void>
  pools(): Record<'app' | 'system', { total: number; idle: number; waiting: number }>
  close(): Promise<void>
}

export interface DatabaseOptions {
  appUrl: string
  systemUrl: string
  poolSize: number
  statementTimeoutMs?: number
}

const connectTimeoutMs = 2_000
const defaultStatementTimeoutMs = 10_000
const lockTimeoutMs = 5_000
const idleInTransactionTimeoutMs = 30_000
const namedStatementsLimit = 2_000

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)

export function connectDatabase(options: DatabaseOptions): Database {
  const app = createPool(options.appUrl, options)
  const system = createPool(options.systemUrl, options)
  const notify = createNotifier(app)
  return {
    inOrg(orgId, work) {
      // The id is put into the statement's text, so that begin and scope are one message: only a UUID may pass.
      if (!isUuid(orgId)) throw new TypeError('inOrg needs a UUID')
      return inTransaction(app, `begin; set local app.org_id = '${orgId}'`, work).then(notify)
    },
    acrossOrgs: (work) => inTransaction(system, 'begin', work).then(notify),
    readAcrossOrgs: kyselyOn((query) => withClient(system, (client) => runQuery(client, query))),
    async ping() {
      await withClient(app, (client) => client.query('select 1'))
    },
    pools: () => ({ app: poolStatus(app), system: poolStatus(system) }),
    async close() {
      await Promise.all([app.end(), system.end()])
    },
  }
}

function createPool(connectionString: string, options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs ?? defaultStatementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    pipeline: true,
    types,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const poolStatus = (pool: pg.Pool): { total: number; idle: number; waiting: number } => ({
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})

async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(asUnavailable)
  let broken: Error | undefined
  try {
    return await use(client)
  } catch (error) {
    if (isConnectionError(error)) broken = error
    throw broken ? unavailable('The database is not reachable. Try again shortly.', error) : error
  } finally {
    client.release(broken)
  }
}

interface Committed<T> {
  result: T
  channels: ReadonlySet<string>
}

function inTransaction<T>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<Committed<T>> {
  const channels = new Set<string>()
  return withClient(pool, async (client) => {
    const tx: Tx = {
      db: kyselyOn((query) => runQuery(client, query)),
      notifyAfterCommit: (channel) => channels.add(channel),
    }
    try {
      // Not awaited before the work: the connection pipelines, so begin costs no round trip of its own.
      const begun = client.query(begin)
      const [result] = await Promise.all([work(tx), begun])
      const commit = await client.query('commit')
      // Postgres answers ROLLBACK, without an error, when a statement had failed and somebody swallowed it.
      if (commit.command !== 'COMMIT') throw new Error('the transaction was rolled back')
      return { result, channels }
    } catch (error) {
      if (!isConnectionError(error)) await client.query('rollback')
      throw error
    }
  })
}

const notifyIntervalMs = 20

/**
 * One NOTIFY for all commits of the last few milliseconds, outside their transactions: inside, every commit
 * would queue for the lock that Postgres holds over its notification queue.
 */
function createNotifier(pool: pg.Pool): <T>(committed: Committed<T>) => T {
  const scheduled = new Set<string>()
  const send = (channel: string): void => {
    scheduled.delete(channel)
    withClient(pool, (client) => client.query(`notify ${pg.escapeIdentifier(channel)}`)).catch(
      () => undefined,
    )
  }
  return ({ result, channels }) => {
    for (const channel of channels) {
      if (scheduled.has(channel)) continue
      scheduled.add(channel)
      setTimeout(send, notifyIntervalMs, channel)
    }
    return result
  }
}

const statementNames = new Map<string, string>()

/** Named, so that Postgres parses and plans each statement once per connection. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= namedStatementsLimit) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  statementNames.set(text, name)
  return name
}

async function runQuery<R>(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<R>> {
  const name = statementName(query.sql)
  const result = await client.query<R & pg.QueryResultRow>({
    text: query.sql,
    values: [...query.parameters],
    ...(name !== undefined && { name }),
  })
  return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) }
}

/** Kysely as query builder and typed reader; connections and transactions are ours (see inTransaction). */
function kyselyOn(run: <R>(query: CompiledQuery) => Promise<QueryResult<R>>): Kysely<DB> {
  const connection: DatabaseConnection = {
    executeQuery: run,
    streamQuery() {
      throw new Error('streams are read in pages')
    },
  }
  const unsupported = (): Promise<void> =>
    Promise.reject(new Error('use inOrg or acrossOrgs for a transaction'))
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: () => Promise.resolve(),
        acquireConnection: () => Promise.resolve(connection),
        releaseConnection: () => Promise.resolve(),
        beginTransaction: unsupported,
        commitTransaction: unsupported,
        rollbackTransaction: unsupported,
        destroy: () => Promise.resolve(),
      }),
    },
  })
}

const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '53300', // too many connections
  '57P01', // terminated by an administrator
  '57P02', // crash shutdown
  '57P03', // starting up or shutting down
])
const connectionErrorMessage =
  /connection terminated|connection timeout|connection error|client was closed|timeout exceeded when trying to connect/i

export function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return connectionErrorCodes.has(code) || code.startsWith('08') || connectionErrorMessage.test(error.message)
}

function asUnavailable(error: unknown): never {
  throw unavailable('The database is not reachable. Try again shortly.', error)
}
