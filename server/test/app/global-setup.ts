import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startPostgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate } from '@switchyard/stack/services/restate.ts'
import { migrateDatabase } from '../../src/kernel/db/migrate.ts'
import { replaceMoneyClock } from './clocked-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    restateIngressUrl: string
    restateAdminUrl: string
    restateIdentityKey: string
    /** Where the engine writes to disk, for tests that search it for secrets. */
    restateDataDir: string
  }
}

export const templateDatabase = 'switchyard_template'

/** One Postgres and one Restate for the whole run; each test file clones the migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  chmodSync(dataDir, 0o755) // Postgres does not run as root, so its user must be able to enter
  const [postgres, restate] = await Promise.all([
    startPostgres({
      dataDir: join(dataDir, 'postgres'),
      port: await freePort(),
      fast: true,
      // The canary test searches the WAL for its own writes, which other files' writes must not recycle.
      settings: { wal_keep_size: '2GB' },
    }),
    startRestate({
      dataDir: join(dataDir, 'restate'),
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    }),
  ])
  const owner = new pg.Client({ connectionString: postgres.url })
  await owner.connect()
  await owner.query(`create database ${templateDatabase}`)
  await owner.end()
  await migrateDatabase({
    ownerUrl: databaseUrl(postgres.url, templateDatabase, 'postgres'),
    appUrl: databaseUrl(postgres.url, templateDatabase, 'switchyard_app'),
    systemUrl: databaseUrl(postgres.url, templateDatabase, 'switchyard_system'),
    log: () => undefined,
  })
  await replaceClock(databaseUrl(postgres.url, templateDatabase, 'postgres'))
  project.provide('postgresUrl', postgres.url)
  project.provide('restateIngressUrl', restate.ingressUrl)
  project.provide('restateAdminUrl', restate.adminUrl)
  project.provide('restateIdentityKey', restate.identityKey)
  project.provide('restateDataDir', join(dataDir, 'restate'))
  return async () => {
    await Promise.all([restate.stop(), postgres.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function replaceClock(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query(replaceMoneyClock)
  await owner.end()
}
