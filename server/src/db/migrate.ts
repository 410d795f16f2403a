import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url))

interface MigrateOptions {
  ownerUrl: string
  appUrl: string
  systemUrl: string
  log: (line: string) => void
}

/** Creates the two login roles, then runs the SQL migrations, both under an advisory lock. */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: options.ownerUrl })
  await client.connect()
  try {
    await ensureRole(client, 'switchyard_app', options.appUrl)
    await ensureRole(client, 'switchyard_system', options.systemUrl)
    await runner({
      dbClient: client,
      dir: migrationsDir,
      direction: 'up',
      migrationsTable: 'migrations',
      advisoryLockMode: 'wait',
      log: options.log,
    })
  } finally {
    await client.end()
  }
}

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
