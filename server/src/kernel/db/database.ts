import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import pg from 'pg'
import { inSpan } from '../../lib/flow/correlation.ts'
import { unavailable } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { watchedEffects } from '../../lib/flow/watch-effects.ts'
import { asUnavailable, isBusyError, isConnectionError } from './errors.ts'
import type { DB } from './generated/schema.ts'
import { createNotifier, type CommitResult } from './notifier.ts'
import { runPipeline, type Row, type Statement } from './pipeline.ts'
import { hasWritten, reportingEffects } from './report-effects.ts'
import { statementName, withFreshPlans } from './statement-name.ts'

/** An open transaction. */
export interface Tx {
  readonly db: Kysely<DB>
  /** Wakes the channel's listeners once the commit is confirmed; lost in a crash, so listeners also poll. */
  notifyAfterCommit(channel: string): void
}

export interface Database {
  /** A transaction in which row level security shows one organisation and nothing else. */
  inOrg<T>(orgId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * A transaction of statements that do not depend on each other's results, sent in one round trip. An error in any
   * of them rolls back all.
   */
  batchInOrg(orgId: string, statements: readonly CompiledQuery[]): Promise<Row[][]>
  batchAcrossOrgs(statements: readonly CompiledQuery[]): Promise<Row[][]>
  /** A transaction that sees every organisation. For authentication, the relay and the operator only. */
  acrossOrgs<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement that sees every organisation, without the cost of a transaction. */
  readAcrossOrgs: Kysely<DB>
  /** Wakes the channel's listeners, after a commit. */
  wake(channel: string): void
  ping(): Promise<void>
  /** The time by which everything that decides about money is judged. */
  now(): Promise<Date>
  pools(): Record<'app' | 'system', { total: number; idle: number; waiting: number }>
  close(): Promise<void>
}

interface DatabaseOptions {
  appUrl: string
  systemUrl: string
  poolSize: number
  /** How long a caller waits for a connection, also for one of a pool that is in use. */
  connectTimeoutMs?: number
  statementTimeoutMs?: number
}

const defaultConnectTimeoutMs = 2_000
const defaultStatementTimeoutMs = 10_000
const lockTimeoutMs = 5_000
const idleInTransactionTimeoutMs = 30_000
/** Added to Postgres' own limit, for a server or a network that does not answer at all. */
const silenceTimeoutMs = 2_000

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)

export function connectDatabase(options: DatabaseOptions): Database {
  const app = createPool(options.appUrl, options)
  const system = createPool(options.systemUrl, options)
  const notify = createNotifier((channel) =>
    withClient(app, (client) => client.query(`notify ${pg.escapeIdentifier(channel)}`)),
  )
  return {
    inOrg(orgId, work) {
      const begin = beginInOrg(orgId)
      return traced('transaction', () => withFreshPlans(() => inTransaction(app, begin, work))).then(notify)
    },
    batchAcrossOrgs: (batch) =>
      traced('batch', () => withFreshPlans(() => withClient(system, (client) => runBatch(client, batch)))),
    batchInOrg: (orgId, batch) => traced('batch', () => withFreshPlans(() => batchIn(app, orgId, batch))),
    acrossOrgs: (work) =>
      traced('transaction', () => withFreshPlans(() => inTransaction(system, 'begin', work))).then(notify),
    readAcrossOrgs: kyselyOn((query) =>
      withFreshPlans(() => withClient(system, (client) => runQuery(client, query))),
    ),
    wake: (channel) => notify({ result: undefined, channels: new Set([channel]) }),
    async ping() {
      await withClient(app, (client) => client.query('select 1'))
    },
    async now() {
      const { rows } = await withClient(app, (client) => client.query<{ now: Date }>(askTime))
      return timeOf(rows)
    },
    pools: () => ({ app: poolStatus(app), system: poolStatus(system) }),
    async close() {
      await notify.flush()
      await Promise.all([app.end(), system.end()])
    },
  }
}

/** Names the kind of access only: neither statements nor their values reach a trace. */
const traced = <Result>(operation: string, work: () => Promise<Result>): Promise<Result> =>
  inSpan(`postgres ${operation}`, { 'db.system.name': 'postgresql', 'db.operation.name': operation }, work)

function createPool(connectionString: string, options: DatabaseOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs
  const pool = new pg.Pool({
    connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + silenceTimeoutMs,
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
  const effects = watchedEffects()
  if (effects) effects.openTransactions += 1
  try {
    return await useClient(await pool.connect().catch(asUnavailable), use)
  } finally {
    if (effects) effects.openTransactions -= 1
  }
}

async function useClient<T>(client: pg.PoolClient, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let broken: Error | undefined
  try {
    return await use(client)
  } catch (error) {
    if (isConnectionError(error)) broken = error
    if (broken) throw unavailable('The database is not reachable. Try again shortly.', error)
    throw isBusyError(error) ? unavailable('The database is busy. Try again shortly.', error) : error
  } finally {
    client.release(broken)
  }
}

/** The id becomes part of the statement, so that begin and scope are one message; only a UUID is accepted. */
function beginInOrg(orgId: string): string {
  if (!isUuid(orgId)) throw new TypeError('a tenant is named by a UUID')
  return `begin; set local app.org_id = '${orgId}'`
}

async function batchIn(pool: pg.Pool, orgId: string, batch: readonly CompiledQuery[]): Promise<Row[][]> {
  const results = await withClient(pool, (client) => runBatch(client, [scopeTo(orgId), ...batch]))
  return results.slice(1)
}

/** The same as `set local`, with the id as a parameter. */
const scopeTo = (orgId: string): Statement => ({
  sql: "select set_config('app.org_id', $1, true)",
  parameters: [orgId],
})

function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<CommitResult<T>> {
  const channels = new Set<string>()
  return withClient(pool, async (client) => {
    const tx: Tx = {
      db: kyselyOn((query) => runQuery(client, query)),
      notifyAfterCommit: (channel) => channels.add(channel),
    }
    try {
      // The work starts without waiting for begin: the connection pipelines, so begin costs no extra round trip.
      const begun = client.query(begin)
      const [result] = await Promise.all([work(tx), begun])
      await commit(client)
      return { result, channels }
    } catch (error) {
      if (!isConnectionError(error)) await client.query('rollback')
      throw error
    }
  })
}

const commit = (client: pg.PoolClient): Promise<void> =>
  reportingEffects(async (isWatched) => {
    const [asked, committed] = await Promise.all([
      isWatched ? client.query<Row>(hasWritten.sql) : undefined,
      client.query('commit'),
    ])
    // Postgres answers COMMIT with ROLLBACK, and no error, when a statement failed and its error was swallowed.
    if (committed.command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return { result: undefined, answer: asked?.rows[0] }
  })

const runBatch = (client: pg.PoolClient, batch: readonly Statement[]): Promise<Row[][]> =>
  reportingEffects(async (isWatched) => {
    const results = await runPipeline(client, isWatched ? [...batch, hasWritten] : batch)
    return { result: results.slice(0, batch.length), answer: results[batch.length]?.[0] }
  })

function runQuery<R>(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<R>> {
  const name = statementName(query.sql)
  return client
    .query<R & pg.QueryResultRow>({
      text: query.sql,
      values: [...query.parameters],
      ...(name !== undefined && { name }),
    })
    .then((result) => ({ rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) }))
}

const askTime = 'select money_clock() as now'

function timeOf([row]: readonly { now: Date }[]): Date {
  if (!row) throw new Error('the database did not say what time it is')
  return row.now
}

/** The time by which everything that decides about money is judged, for an open transaction. */
export const timeIn = async (tx: Tx): Promise<Date> =>
  timeOf((await sql.raw<{ now: Date }>(askTime).execute(tx.db)).rows)

/** Runs the statements of a batch inside an open transaction, in one round trip. */
export const runStatements = async (tx: Tx, batch: readonly CompiledQuery[]): Promise<Row[][]> => {
  const results = await Promise.all(batch.map((statement) => tx.db.executeQuery<Row>(statement)))
  return results.map(({ rows }) => rows)
}

/**
 * Operations that open a transaction of their own take part in this one instead, so that they are committed with it.
 * The caller has locked what they fence: a retry cannot help in a transaction that has failed.
 */
export const joinTransaction = (db: Database, tx: Tx): Database => ({
  ...db,
  inOrg: (_orgId, work) => work(tx),
  batchInOrg: (_orgId, batch) => runStatements(tx, batch),
  now: () => timeIn(tx),
  wake: (channel) => tx.notifyAfterCommit(channel),
})

/** Builds statements for batchInOrg; executes nothing. */
export const statements: Kysely<DB> = kyselyOn(() =>
  Promise.reject(new Error('this builder does not execute')),
)

/**
 * For a batch whose work is done again if the database loses it in a crash: its commit does not wait for the disk. What
 * was committed before it is never lost alone, because the log is written in order.
 */
export const withoutFlush: CompiledQuery = sql`select set_config('synchronous_commit', 'off', true)`.compile(
  statements,
)

/** Kysely builds and types the queries; connections and transactions are managed here (see inTransaction). */
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
