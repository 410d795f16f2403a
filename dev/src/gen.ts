import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { format, resolveConfig } from 'prettier'
import { migrateDatabase } from '../../server/src/db/migrate.ts'
import { generateDatabaseTypes } from './gen/database-types.ts'
import { freePort } from './services/ports.ts'
import { startPostgres } from './services/postgres.ts'

/** Writes everything that is generated: the database's types and the list of endpoints. */
const root = join(import.meta.dirname, '../..')

async function write(path: string, content: string): Promise<void> {
  const file = join(root, path)
  const config = await resolveConfig(file)
  writeFileSync(file, await format(content, { ...config, filepath: file }))
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
    const types = await generateDatabaseTypes(client)
    await client.end()
    return types
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await write('server/src/db/generated/schema.ts', await databaseTypes())
