import type pg from 'pg'
import { inject } from 'vitest'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { connectDatabase, type Database } from '../../src/kernel/db/database.ts'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { cloneDatabase } from './test-app.ts'
import { useStarted } from './use-started.ts'

interface TestDatabase {
  name: string
  /** Connected with the roles of the processes. */
  db: Database
  /** Connected as the superuser, for rows that no process could write. */
  owner: pg.Pool
  close(): Promise<void>
}

/** On a busy machine a test waits for a connection, instead of meeting a 503 in the middle of its work. */
const pool = { poolSize: 8, connectTimeoutMs: 30_000 }

/** `startTestDatabase` for the tests of a file. */
export const useDatabase = (): TestDatabase => useStarted(startTestDatabase, (database) => database.close())

/** A migrated database of the file's own, without the rest of the server. */
async function startTestDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase()
  const url = (role: string): string => databaseUrl(inject('postgresUrl'), database.name, role)
  const db = connectDatabase({ appUrl: url('switchyard_app'), systemUrl: url('switchyard_system'), ...pool })
  return {
    name: database.name,
    db,
    owner: database.owner,
    async close() {
      await db.close()
      await database.drop()
    },
  }
}

/** Until one transaction of the database waits for a row or table that another one has locked. */
export const untilLockAwaited = (owner: pg.Pool): Promise<unknown> =>
  waitUntil(
    async () => {
      const { rowCount } = await owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount === 1
    },
    { what: 'a transaction to wait for a lock', intervalMs: 5 },
  )
