import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listeningHosts } from '../testing/listening-hosts.ts'
import { scratchDir } from '../testing/scratch-dir.ts'
import { freePort } from './ports.ts'
import { startPostgres, type Postgres, type PostgresOptions } from './postgres.ts'
import { findProcess } from './process-table.ts'
import { waitUntil } from './wait-until.ts'

const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'

let scratch: Awaited<ReturnType<typeof scratchDir>>
let options: PostgresOptions
let postgres: Postgres

beforeAll(async () => {
  scratch = await scratchDir()
  options = { dataDir: join(scratch.path, 'postgres'), port: await freePort(), fast: true }
  postgres = await startPostgres(options)
  await query('create table kept (value text)')
  await query(`insert into kept values ('here')`)
})

afterAll(async () => {
  await postgres.stop()
  await scratch.remove()
})

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url })
  // Some of these tests stop the server while a connection is open.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('it is PostgreSQL 18 with a limit of 300 connections', async () => {
  const [row] = await query(`select current_setting('server_version_num')::int as version,
    current_setting('max_connections') as connections, current_setting('fsync') as fsync`)
  expect(row).toEqual({ version: expect.closeTo(180_000, -4), connections: '300', fsync: 'off' })
})

test.runIf(isLinux)('it listens on loopback only', async () => {
  expect(await listeningHosts(options.port)).toEqual(['127.0.0.1'])
})

test('a wrong password is refused', async () => {
  const url = postgres.url.replace('postgres:postgres@', 'postgres:wrong@')
  await expect(new Client({ connectionString: url }).connect()).rejects.toThrow(
    'password authentication failed',
  )
})

test('after a stop nothing answers, and after a start the same port serves the same data', async () => {
  const pid = postgres.pid
  await postgres.stop()
  expect(await findProcess(pid)).toBeUndefined()
  await expect(query('select 1')).rejects.toThrow('ECONNREFUSED')
  await postgres.start()
  expect(await query('select value from kept')).toEqual([{ value: 'here' }])
})

test('a killed server starts again although a session was open', async () => {
  const client = new Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  await postgres.kill()
  await postgres.start()
  expect(await query('select value from kept')).toEqual([{ value: 'here' }])
})

test('a second start on the data of a running server is refused', async () => {
  await expect(startPostgres({ ...options, port: await freePort() })).rejects.toThrow('is in use by process')
})

test('a stale pid file with the pid of another process does not prevent a start', async () => {
  await postgres.stop()
  const file = join(options.dataDir, 'postmaster.pid')
  await writeFile(file, `${process.pid}\n${options.dataDir}\n`)
  await postgres.start()
  expect(await readFile(file, 'utf8')).toMatch(new RegExp(`^${postgres.pid}\n`))
})

test('a runner killed with SIGKILL leaves no server, and the next one starts at once', async () => {
  await postgres.stop()
  const runner = spawn(process.execPath, ['--input-type=module', '-e', runnerScript()], { stdio: 'pipe' })
  const [output] = await once(runner.stdout, 'data')
  const orphanPid = Number(output)
  runner.kill('SIGKILL')
  await once(runner, 'exit')
  postgres = await startPostgres(options)
  expect(await query('select value from kept')).toEqual([{ value: 'here' }])
  await waitUntil(async () => !(await findProcess(orphanPid)), {
    what: 'the orphan to end',
  })
})

function runnerScript(): string {
  const module = new URL('postgres.ts', import.meta.url).href
  return `const { startPostgres } = await import(${JSON.stringify(module)})
    process.stdout.write(String((await startPostgres(${JSON.stringify(options)})).pid))`
}

test('a directory that holds something else is left alone', async () => {
  const dataDir = join(scratch.path, 'letters')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'letter.txt'), 'dear')
  await expect(startPostgres({ ...options, dataDir })).rejects.toThrow(
    'neither empty nor a PostgreSQL data directory',
  )
  expect((await stat(join(dataDir, 'letter.txt'))).size).toBe(4)
})

test.runIf(isRoot)('as root, a parent that shuts the other user out is named', async () => {
  const closed = join(scratch.path, 'closed')
  await mkdir(closed)
  await chmod(closed, 0o700)
  const dataDir = join(closed, 'data', 'postgres')
  await expect(startPostgres({ ...options, dataDir })).rejects.toThrow(`who may not enter ${closed} `)
})

test('a port in use is reported with the error of the server', async () => {
  const dataDir = join(scratch.path, 'second')
  await expect(startPostgres({ ...options, dataDir })).rejects.toThrow('Address already in use')
})
