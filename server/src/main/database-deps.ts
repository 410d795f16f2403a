import { connectDatabase, type Database } from '../kernel/db/database.ts'
import type { Config } from './config.ts'

/** The pages have connections of their own, so that their payers never wait for those of the API. */
export function connectDatabases(
  config: Config,
  { database = (one) => one }: { database?: (db: Database) => Database },
): Record<'db' | 'pageDb', Database> {
  const urls = { appUrl: config.DATABASE_APP_URL, systemUrl: config.DATABASE_SYSTEM_URL }
  return {
    db: database(connectDatabase({ ...urls, poolSize: config.DATABASE_POOL_SIZE })),
    pageDb: database(connectDatabase({ ...urls, poolSize: config.PAGE_DATABASE_POOL_SIZE })),
  }
}
