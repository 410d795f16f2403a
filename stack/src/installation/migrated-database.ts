import { migrateDatabase } from '@switchyard/server/kernel/db/migrate.ts'
import type { Env } from '../programs.ts'
import { createDatabaseIfMissing } from '../services/create-database.ts'
import { databaseName, databaseUrl } from '../services/database-url.ts'

/** Creates and migrates the database; returns the owner's URL and the two URLs that api and worker are configured with. */
export async function migratedDatabase(serverUrl: string): Promise<Env & { ownerUrl: string }> {
  await createDatabaseIfMissing(serverUrl, databaseName)
  const urls = {
    ownerUrl: databaseUrl(serverUrl, databaseName, 'postgres'),
    appUrl: databaseUrl(serverUrl, databaseName, 'switchyard_app'),
    systemUrl: databaseUrl(serverUrl, databaseName, 'switchyard_system'),
  }
  await migrateDatabase({ ...urls, log: () => undefined })
  return { ownerUrl: urls.ownerUrl, DATABASE_APP_URL: urls.appUrl, DATABASE_SYSTEM_URL: urls.systemUrl }
}
