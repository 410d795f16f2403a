import { migrateDatabase } from '../kernel/db/migrate.ts'
import { connectTcp } from '../lib/net/connect-tcp.ts'
import { readMigrationConfig } from './config.ts'
import { startProcess } from './process-start.ts'
import { StartError } from './start-error.ts'
import { addressOf, endpointOf, reasonOf } from './watch-dependencies.ts'

const connectTimeoutMs = 2_000

const config = await startProcess(async () => {
  const read = readMigrationConfig()
  const endpoint = endpointOf(read.DATABASE_OWNER_URL)
  if (endpoint.hostname !== '')
    await connectTcp(endpoint, connectTimeoutMs).catch((error: unknown) => {
      const address = addressOf(read.DATABASE_OWNER_URL)
      throw new StartError([
        `Postgres at ${address} (DATABASE_OWNER_URL) cannot be reached (${reasonOf(error)}).`,
      ])
    })
  return read
})

await migrateDatabase({
  ownerUrl: config.DATABASE_OWNER_URL,
  appUrl: config.DATABASE_APP_URL,
  systemUrl: config.DATABASE_SYSTEM_URL,
  log: (line) => process.stdout.write(`${line}\n`),
})
