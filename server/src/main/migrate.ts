import { z } from 'zod'
import { migrateDatabase } from '../db/migrate.ts'

const env = z
  .object({ DATABASE_OWNER_URL: z.url(), DATABASE_APP_URL: z.url(), DATABASE_SYSTEM_URL: z.url() })
  .parse(process.env)

await migrateDatabase({
  ownerUrl: env.DATABASE_OWNER_URL,
  appUrl: env.DATABASE_APP_URL,
  systemUrl: env.DATABASE_SYSTEM_URL,
  log: (line) => process.stdout.write(`${line}\n`),
})
