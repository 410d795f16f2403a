import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startScratchPostgres, type ScratchPostgres } from '@switchyard/stack/testing/scratch-postgres.ts'
import { copyRows, type Copied } from './copy-rows.ts'
import { readTenantTables } from './tenant-tables.ts'

const orgId = '00000000-0000-7000-8000-000000000001'
let server: ScratchPostgres
let from: Client
let to: Client

beforeAll(async () => {
  server = await startScratchPostgres()
  ;[from, to] = [await openCell('old_cell'), await openCell('new_cell')]
}, 60_000)

afterAll(async () => {
  await Promise.all([from.end(), to.end()])
  await server.stop()
})

beforeEach(async () => {
  for (const client of [from, to]) await client.query('truncate transfers')
  await from.query('insert into transfers select $1, n, n * 10, n from generate_series(1, 5) n', [orgId])
})

async function openCell(name: string): Promise<Client> {
  const { url: serverUrl } = server.postgres
  const superuser = new Client({ connectionString: serverUrl })
  await superuser.connect()
  await superuser.query(`create database ${name}`)
  await superuser.end()
  const url = new URL(serverUrl)
  url.pathname = name
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(
    'create table transfers (org_id uuid, id integer primary key, minor bigint, xact_id bigint)',
  )
  return client
}

const copy = async (since?: Copied): Promise<Copied> =>
  copyRows({ from, to, tables: await readTenantTables(from), orgId, ...(since && { since }) })

async function copied(): Promise<number[][]> {
  const { rows } = await to.query<[number, string, string]>({
    text: 'select id, minor, xact_id from transfers order by id',
    rowMode: 'array',
  })
  return rows.map((row) => row.map(Number))
}

test('a second copy has what was changed, added and removed meanwhile, and no number of a transaction', async () => {
  const first = await copy()
  expect(first.rows).toBe(5)
  await from.query('update transfers set minor = 99 where id = 2')
  await from.query('delete from transfers where id = 4')
  await from.query('insert into transfers values ($1, 6, 60, 6)', [orgId])
  const second = await copy(first)
  expect(second.rows).toBe(2)
  expect(await copied()).toEqual([
    [1, 10, 0],
    [2, 99, 0],
    [3, 30, 0],
    [5, 50, 0],
    [6, 60, 0],
  ])
})

test('a row that something else has changed in the new cell ends the next copy, which leaves nothing', async () => {
  const first = await copy()
  await to.query('update transfers set minor = minor + 1 where id = 3')
  await from.query('update transfers set minor = 99 where id = 2')
  await expect(copy(first)).rejects.toThrow('the cells differ after the copy: transfers')
  expect((await copied())[1]).toEqual([2, 20, 0])
})

test('a row that the new cell cannot store as it is ends the copy', async () => {
  await to.query(
    'create function halve() returns trigger language plpgsql as $$ begin new.minor := new.minor / 2; return new; end $$',
  )
  await to.query('create trigger halve before insert on transfers for each row execute function halve()')
  await to.query('alter table transfers enable always trigger halve')
  await expect(copy()).rejects.toThrow('the cells differ after the copy: transfers')
  await to.query('drop trigger halve on transfers; drop function halve')
})
