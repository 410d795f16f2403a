import type pg from 'pg'
import { inject } from 'vitest'
import { connectDatabase, type Database } from '../db/database.ts'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { cloneDatabase } from './test-app.ts'

export interface TestDatabase {
  name: string
  /** As the processes see it: bound to one organisation, or the system's view. */
  db: Database
  /** The superuser, for planting what no process could write. */
  owner: pg.Pool
  close(): Promise<void>
}

const poolSize = 8

/** A migrated database of the file's own, without the rest of the server. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase()
  const url = (role: string): string => databaseUrl(inject('postgresUrl'), database.name, role)
  const db = connectDatabase({ appUrl: url('switchyard_app'), systemUrl: url('switchyard_system'), poolSize })
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
