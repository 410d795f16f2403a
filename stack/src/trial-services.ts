import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabaseIfMissing } from './services/create-database.ts'
import { databaseName, databaseUrl } from './services/database-url.ts'
import { freePort } from './services/ports.ts'
import { startPostgres } from './services/postgres.ts'
import { startRestate } from './services/restate.ts'

/**
 * `npm run services -- --data-dir DIRECTORY`: PostgreSQL and Restate on this machine, for an installation that has neither
 * yet. Both keep their data in the directory; `services.env` in it has their addresses.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'data-dir': { type: 'string', default: '.switchyard/services' } },
  })
  const directory = resolve(values['data-dir'])
  await mkdir(directory, { recursive: true, mode: 0o711 })
  const [postgres, restate] = await Promise.all([
    startPostgres({ dataDir: join(directory, 'postgres'), port: await freePort() }),
    startRestate({
      dataDir: join(directory, 'restate'),
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    }),
  ])
  await createDatabaseIfMissing(postgres.url, databaseName)
  const lines = [
    `DATABASE_OWNER_URL=${databaseUrl(postgres.url, databaseName, 'postgres')}`,
    `DATABASE_APP_URL=${databaseUrl(postgres.url, databaseName, 'switchyard_app')}`,
    `DATABASE_SYSTEM_URL=${databaseUrl(postgres.url, databaseName, 'switchyard_system')}`,
    `ENGINE_INGRESS_URL=${restate.ingressUrl}`,
    `ENGINE_ADMIN_URL=${restate.adminUrl}`,
    `ENGINE_IDENTITY_KEYS=${restate.identityKey}`,
  ]
  await writeFile(join(directory, 'services.env'), `${lines.join('\n')}\n`, { mode: 0o600 })
  console.log(`PostgreSQL and Restate are running; their addresses are in ${join(directory, 'services.env')}`)
  const stop = (): void => {
    Promise.all([postgres.stop(), restate.stop()]).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

if (import.meta.main) await main()
