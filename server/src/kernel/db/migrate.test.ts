import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { migrateDatabase } from './migrate.ts'

const name = `test_${randomBytes(6).toString('hex')}`
const url = (role: string): string => databaseUrl(inject('postgresUrl'), name, role)
const directory = mkdtempSync(join(tmpdir(), 'switchyard-migrations-'))
const lines: string[] = []

const write = (file: string, text: string): void => writeFileSync(join(directory, file), text)
const migrate = (): Promise<void> =>
  migrateDatabase({
    ownerUrl: url('postgres'),
    appUrl: url('switchyard_app'),
    systemUrl: url('switchyard_system'),
    log: (line) => void lines.push(line),
    directory,
  })

let server: pg.Client
let owner: pg.Client
beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  owner = new pg.Client({ connectionString: url('postgres') })
  await owner.connect()
  write('0001_notes.sql', 'create table notes (a text);\n')
  await migrate()
})
afterAll(async () => {
  await owner.end()
  await server.query(`drop database ${name} with (force)`)
  await server.end()
  rmSync(directory, { recursive: true, force: true })
})

describe('a migration beside running requests', () => {
  it('gives way to a transaction that holds the table, and is applied once that has ended', async () => {
    await owner.query('begin')
    await owner.query('select from notes')
    write('0002_more.sql', 'alter table notes add column b text;\n')
    const migrated = migrate()
    await waitUntil(() => lines.some((line) => line.includes('trying again')), {
      what: 'the migration to give way',
    })
    await owner.query('commit')
    await migrated
    expect((await owner.query('select b from notes')).rows).toEqual([])
  })

  it('builds an index concurrently, without a transaction', async () => {
    write(
      '0003_index.sql',
      '-- no transaction\n-- Found by b.\ndrop index concurrently if exists notes_by_b;\ncreate index concurrently notes_by_b on notes (b);\n',
    )
    await migrate()
    const { rows } = await owner.query<{ name: string }>('select name from migrations order by name')
    expect(rows.map((row) => row.name)).toEqual(['0001_notes', '0002_more', '0003_index'])
    const found = await owner.query(
      `select indisvalid as valid from pg_index where indexrelid = 'notes_by_b'::regclass`,
    )
    expect(found.rows).toEqual([{ valid: true }])
  })
})

it('an owner that is no superuser creates the whole schema', async () => {
  const role = `owner_${name}`
  const database = `${name}_owned`
  const ownedUrl = (user: string): string => databaseUrl(inject('postgresUrl'), database, user)
  await server.query(`create role ${role} login createrole password 'test'`)
  try {
    await server.query(`grant switchyard_app, switchyard_system to ${role} with admin option`)
    await server.query(`create database ${database} owner ${role}`)
    const migrated = migrateDatabase({
      ownerUrl: ownedUrl(role),
      appUrl: ownedUrl('switchyard_app'),
      systemUrl: ownedUrl('switchyard_system'),
      log: () => undefined,
    })
    await expect(migrated).resolves.toBeUndefined()
  } finally {
    await server.query(`drop database if exists ${database} with (force)`)
    await server.query(`drop role ${role}`)
  }
})
