import { migrateDatabase } from '../db/migrate.ts'
import { readMigrationConfig } from './config.ts'

const config = readMigrationConfig()

await migrateDatabase({
  ownerUrl: config.DATABASE_OWNER_URL,
  appUrl: config.DATABASE_APP_URL,
  systemUrl: config.DATABASE_SYSTEM_URL,
  log: (line) => process.stdout.write(`${line}\n`),
})
