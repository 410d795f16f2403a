import { connectDatabase, type Database } from '../kernel/db/database.ts'
import type { Config } from './config.ts'

export interface DatabaseOverrides {
  /** Puts something between the operations and the database, such as a clock of a test. */
  database?: (db: Database) => Database
  connectTimeoutMs?: number
}

/** The pages have connections of their own, so that their payers never wait for those of the API. */
export function connectDatabases(
  config: Config,
  { database = (one) => one, connectTimeoutMs }: DatabaseOverrides,
): Record<'db' | 'pageDb', Database> {
  const options = {
    appUrl: config.DATABASE_APP_URL,
    systemUrl: config.DATABASE_SYSTEM_URL,
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
  }
  return {
    db: database(connectDatabase({ ...options, poolSize: config.DATABASE_POOL_SIZE })),
    pageDb: database(connectDatabase({ ...options, poolSize: config.PAGE_DATABASE_POOL_SIZE })),
  }
}
