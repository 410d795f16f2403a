import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { listenerName } from '../../../kernel/engine/listen.ts'
import type { DatabaseState } from './record.ts'

interface Row {
  version: string
  applied: number
  latest: string | null
  workers: number
}

/** What the database knows about the installation itself. */
export async function selectDatabaseStateAcrossOrgs(tx: Tx): Promise<DatabaseState> {
  const { rows } = await sql<Row>`
    select current_setting('server_version') as version,
           (select count(*)::integer from migrations) as applied,
           (select name from migrations order by name desc limit 1) as latest,
           (select count(*)::integer from pg_stat_activity
            where application_name = ${listenerName} and datname = current_database()) as workers`.execute(
    tx.db,
  )
  const [row] = rows
  if (!row) throw new Error('the database gave no answer')
  return {
    postgresVersion: row.version,
    migrations: { applied: row.applied, latest: row.latest },
    workers: row.workers,
  }
}
