import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { newId } from '../../../lib/ids.ts'
import { migrateDatabase } from '../migrate.ts'
import { growingTables } from './growing-tables.ts'

const migrations = join(import.meta.dirname, '../../../../migrations')
/** The last migration of the release before the tables were partitioned. */
const lastBefore = 72
const before = mkdtempSync(join(tmpdir(), 'switchyard-migrations-'))
const orgId = newId()
let name: string
let server: pg.Client
let owner: pg.Client
let app: pg.Client

const url = (role: string): string => databaseUrl(inject('postgresUrl'), name, role)
const migrate = (directory: string): Promise<void> =>
  migrateDatabase({
    ownerUrl: url('postgres'),
    appUrl: url('switchyard_app'),
    systemUrl: url('switchyard_system'),
    log: () => undefined,
    directory,
  })

beforeAll(async () => {
  cpSync(migrations, before, { recursive: true, filter: (path) => !isLater(path) })
  server = new pg.Client({ connectionString: inject('postgresUrl') })
  await server.connect()
})
const isLater = (path: string): boolean => Number(/(\d{4})_\w+\.sql$/.exec(path)?.[1] ?? 0) > lastBefore
beforeEach(async () => {
  name = `test_${randomBytes(6).toString('hex')}`
  await server.query(`create database ${name}`)
  await migrate(before)
  owner = new pg.Client({ connectionString: url('postgres') })
  app = new pg.Client({ connectionString: url('switchyard_app') })
  await Promise.all([owner.connect(), app.connect()])
  await owner.query(`insert into organizations (org_id, name, country) values ($1, 'Before', 'NG')`, [orgId])
  for (const client of [owner, app]) client.on('error', () => undefined)
  await app.query(`select set_config('app.org_id', $1, false)`, [orgId])
})
afterEach(async () => {
  await Promise.all([owner.end(), app.end()])
  await server.query(`drop database ${name} with (force)`)
})
afterAll(async () => {
  await server.end()
  rmSync(before, { recursive: true, force: true })
})

/** As the running release does, with a statement that it prepared before the upgrade. */
const writeEvent = (eventId: string = newId()): Promise<unknown> =>
  app.query({
    name: 'insert event',
    text: `insert into events (org_id, event_id, event_type, resource_id, sequence, data)
           values ($1, $2, 'transaction.updated', $2, 1, '{}')`,
    values: [orgId, eventId],
  })
const writeAudit = (): Promise<unknown> =>
  app.query({
    name: 'insert audit',
    text: `insert into audit_log (org_id, audit_id, user_id, credential, action, resource_type, resource_id, ip, request_id)
           values ($1, $2, 'x', 'jwt', 'x.y', 'x', 'x', 'x', 'x')`,
    values: [orgId, newId()],
  })
const count = async (table: string): Promise<number> =>
  Number((await owner.query(`select count(*) from ${table}`)).rows[0].count)
const isPartitioned = async (table: string): Promise<boolean> =>
  (await owner.query(`select from pg_partitioned_table where partrelid = '${table}'::regclass`)).rowCount ===
  1

it('an upgrade partitions the tables while the running release writes to them', async () => {
  for (let n = 0; n < 20; n += 1) await Promise.all([writeEvent(), writeAudit()])
  const definitions = `select regexp_replace(indexdef, ' ON (ONLY )?', ' ON ') as def from pg_indexes
    where tablename = any ($1) order by 1`
  const indexes = (await owner.query(definitions, [Object.keys(growingTables)])).rows
  const progress = { isOver: false, written: 20 }
  const writing = (async () => {
    for (; !progress.isOver; progress.written += 1) {
      await writeEvent()
      await writeAudit()
    }
  })()
  await migrate(migrations)
  const during = progress.written
  await writeEvent()
  progress.isOver = true
  await writing
  expect(during).toBeGreaterThan(20)
  expect(await count('events')).toBe(progress.written + 1)
  expect(await count('audit_log')).toBe(progress.written)
  // The trigger has seen each entry once, before the upgrade and after it.
  expect(await count('audit_unsealed')).toBe(progress.written)
  for (const [table, column] of Object.entries(growingTables)) {
    expect(await isPartitioned(table)).toBe(true)
    const { rows } = await owner.query(`select pg_get_partkeydef($1::regclass) as key`, [table])
    expect(rows).toEqual([{ key: `RANGE (${column})` }])
  }
  expect((await owner.query(definitions, [Object.keys(growingTables)])).rows).toEqual(indexes)
  // All rows are in the old table, which nobody has read or written anew for it.
  expect(await count('events_first')).toBe(progress.written + 1)
  const invalid = await owner.query('select indexrelid::regclass from pg_index where not indisvalid')
  expect(invalid.rows).toEqual([])
})

it('a table with ids that are no UUIDv7 stays as it is, and can be written to', async () => {
  await writeEvent('ffffffff-0000-4000-8000-000000000000')
  await migrate(migrations)
  expect(await isPartitioned('events')).toBe(false)
  expect(await isPartitioned('audit_log')).toBe(true)
  await writeEvent('ffffffff-0000-4000-8000-000000000001')
  expect(await count('events')).toBe(2)
})

it('the partitions of the coming months are made by the worker, once, and a row of each month finds its place', async () => {
  await migrate(migrations)
  const system = new pg.Client({ connectionString: url('switchyard_system') })
  await system.connect()
  const make = async (): Promise<number> =>
    (await system.query('select make_partitions_ahead() as made')).rows[0].made
  expect(await make()).toBe(0)
  // The first partition comes last, by its name.
  const { rows } = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass
     order by 1`,
  )
  await owner.query(`drop table ${rows.at(-2)?.name}`)
  expect(await make()).toBe(1)
  for (const months of [-30, 0, 1, 2, 3])
    await owner.query(
      `insert into events (org_id, event_id, event_type, resource_id, sequence, data)
       values ($1, uuidv7($2), 'x', $1, 1, '{}')`,
      [orgId, `${months} months`],
    )
  await expect(app.query('select make_partitions_ahead()')).rejects.toMatchObject({ code: '42501' })
  await system.end()
})
