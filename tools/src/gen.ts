import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { format, resolveConfig } from 'prettier'
import { migrateDatabase } from '@switchyard/server/db/migrate.ts'
import { buildServer } from '@switchyard/server/http/server.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { browserScript } from './gen/browser-script.ts'
import { connectorsPage, describedConnectors } from './gen/connectors.ts'
import { generateDatabaseTypes } from './gen/database-types.ts'
import { endpointsTable, type Endpoint } from './gen/endpoints.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startPostgres } from '@switchyard/stack/services/postgres.ts'

/** Writes everything that is generated: the database's types, the payment page's script, the lists of endpoints and connectors. */
const root = join(import.meta.dirname, '../..')

async function write(path: string, content: string): Promise<void> {
  const file = join(root, path)
  const config = await resolveConfig(file)
  writeRaw(path, await format(content, { ...config, filepath: file }))
}

function writeRaw(path: string, content: string): void {
  writeFileSync(join(root, path), content)
  process.stdout.write(`wrote ${path}\n`)
}

async function databaseTypes(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-gen-'))
  const postgres = await startPostgres({ dataDir, port: await freePort(), fast: true })
  try {
    await migrateDatabase({
      ownerUrl: postgres.url,
      appUrl: 'postgres://switchyard_app:gen@localhost/postgres',
      systemUrl: 'postgres://switchyard_system:gen@localhost/postgres',
      log: () => undefined,
    })
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return await generateDatabaseTypes(client)
    } finally {
      await client.end()
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The routes of a server that is put together but never listens: nothing behind these addresses is called. */
async function endpoints(): Promise<Endpoint[]> {
  const nowhere = 'http://127.0.0.1:1'
  const config = readConfig({
    SWITCHYARD_ENV: 'dev',
    LOG_LEVEL: 'silent',
    DATABASE_APP_URL: 'postgres://127.0.0.1:1/none',
    DATABASE_SYSTEM_URL: 'postgres://127.0.0.1:1/none',
    ENGINE_INGRESS_URL: nowhere,
    JWT_ISSUER: nowhere,
    JWT_AUDIENCE: 'none',
    JWT_JWKS_URL: nowhere,
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    API_KEY_PEPPER: Buffer.alloc(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'none@localhost',
    RATE_FEED_URL: nowhere,
  })
  const deps = createDeps(config)
  const found: Endpoint[] = []
  const app = await buildServer(deps, {
    publicUrl: nowhere,
    bodyLimitBytes: 1,
    trustProxy: false,
    rateLimit: { perSecond: 1, burst: 1 },
    onRoute: (route) => found.push(route),
  })
  await app.close()
  await deps.close()
  return found
}

await write('server/src/db/generated/schema.ts', await databaseTypes())
writeRaw('checkout/src/generated/checkout.js', await browserScript())
await write('docs/endpoints.md', endpointsTable(await endpoints()))
await write('docs/connectors.md', connectorsPage(describedConnectors()))
