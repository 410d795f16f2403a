import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runner, type MigrationBuilder } from 'node-pg-migrate'
import pg from 'pg'

const migrationsDir = fileURLToPath(new URL('../../../migrations', import.meta.url))
/** Shorter than requests wait for a lock, because they queue behind a migration that waits for one. */
const lockWaitMs = 1_500
const lockPauseMs = 1_000
const lockTries = 60
const lockNotAvailable = '55P03'
const noTransaction = /^-- no transaction\n/

interface MigrateOptions {
  ownerUrl: string
  appUrl: string
  systemUrl: string
  log: (line: string) => void
  /** Instead of the migrations of this release. */
  directory?: string
}

/** Creates the two login roles, then runs the SQL migrations, both under an advisory lock. */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: options.ownerUrl })
  await client.connect()
  try {
    await ensureRole(client, 'switchyard_app', options.appUrl)
    await ensureRole(client, 'switchyard_system', options.systemUrl)
    await runMigrations(client, options)
    await makePartitionsAhead(client)
  } finally {
    await client.end()
  }
}

/** The worker does it every hour; a database that was restored after a long time has none for today until then. */
async function makePartitionsAhead(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regprocedure('make_partitions_ahead()') is not null as "isThere"`,
  )
  if (rows[0]?.isThere) await client.query('select make_partitions_ahead()')
}

/** A migration that does not get its locks in time is rolled back and tried again, so that no request waits for long. */
async function runMigrations(client: pg.Client, { directory, log }: MigrateOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runner({
        dbClient: client,
        dir: directory ?? migrationsDir,
        direction: 'up',
        migrationsTable: 'migrations',
        advisoryLockMode: 'wait',
        migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrations }],
        log,
      })
      return
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable || tries === lockTries)
        throw error
      await client.query('rollback')
      log(`a lock was not available within ${lockWaitMs} ms; trying again (${tries} of ${lockTries})`)
      await delay(lockPauseMs)
    }
  }
}

type Unit = {
  id: string
  filePaths: string[]
  actions: { up: (migration: MigrationBuilder) => void; down: false }
}

const loadMigrations = (filePaths: readonly string[]): Promise<Unit[]> =>
  Promise.all(
    filePaths.map(async (filePath) => {
      const text = await readFile(filePath, 'utf8')
      return {
        id: filePath,
        filePaths: [filePath],
        actions: { up: (migration) => addSteps(migration, text), down: false },
      }
    }),
  )

function addSteps(migration: MigrationBuilder, text: string): void {
  if (!noTransaction.test(text)) {
    migration.sql(`set local lock_timeout = ${lockWaitMs}`)
    migration.sql(text)
    return
  }
  // Several statements in one query are a transaction too. An index that is built concurrently blocks nobody while it waits.
  migration.noTransaction()
  for (const statement of `${text}\n`.split(';\n')) if (hasStatement(statement)) migration.sql(statement)
}

/** Whether it is more than comments. */
const hasStatement = (text: string): boolean =>
  text.split('\n').some((line) => line.trim() !== '' && !line.trimStart().startsWith('--'))

const roleLock = 7_130_114

/** Takes the password from the role's URL, so that it is configured in one place. */
async function ensureRole(client: pg.Client, role: string, url: string): Promise<void> {
  const { username, password } = new URL(url)
  if (decodeURIComponent(username) !== role)
    throw new Error(`the database URL must log in as ${role}, not ${username}`)
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [roleLock])
  const found = await client.query<{ rolsuper: boolean; rolbypassrls: boolean }>(
    'select rolsuper, rolbypassrls from pg_roles where rolname = $1',
    [role],
  )
  if (found.rows[0]?.rolsuper || found.rows[0]?.rolbypassrls)
    throw new Error(`${role} must be neither superuser nor bypass row level security`)
  const verb = found.rows.length === 0 ? 'create' : 'alter'
  await client.query(`${verb} role ${role} login password ${pg.escapeLiteral(decodeURIComponent(password))}`)
  await client.query('commit')
}
