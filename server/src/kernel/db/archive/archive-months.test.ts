import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { systemClock } from '../../../lib/clock.ts'
import { firstIdAt, newId } from '../../../lib/ids.ts'
import { archiveUses } from '../../../main/archive-uses.ts'
import { fillMonth, makeOldMonths } from '../../../../test/worlds/old-months.ts'
import { untilLockAwaited, useDatabase } from '../../../../test/app/test-database.ts'
import { readArchive, verifyArchive } from './archive-file.ts'
import { archiveMonths, type ArchiveDeps } from './archive-months.ts'
import { growingTables } from './growing-tables.ts'
import { connectOwner } from './partitions.ts'
import { restoreArchive } from './restore-archive.ts'

const t = useDatabase()
const [orgA, orgB] = [newId(), newId()]
const archivist = 'archivist'
let directory: string
let owner: pg.Client
let lines: string[]

const urlOf = (role: string): string => databaseUrl(inject('postgresUrl'), t.name, role)
const rowsOf = async (table: string): Promise<unknown[]> =>
  (await t.owner.query(`select to_jsonb(x) as row from ${table} x order by 1`)).rows
const monthName = (table: string, monthsAgo: number): string => {
  const month = new Date()
  month.setUTCMonth(month.getUTCMonth() - monthsAgo, 1)
  return `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`
}
const old = monthName('events', 5)
const pathOf = (partition: string): string => join(directory, `${partition}.csv.zst`)
const archives = async (): Promise<unknown[]> =>
  (
    await t.owner
      .query(`select partition_name as name, row_count::integer as rows, dropped_at is not null as "isDropped"
    from archives order by table_name, to_id`)
  ).rows
const isTable = async (name: string): Promise<boolean> =>
  (await t.owner.query('select from pg_class where relname = $1', [name])).rowCount === 1

const depsOf = (changes: Partial<ArchiveDeps> = {}): ArchiveDeps => ({
  owner,
  db: t.db,
  clock: systemClock,
  directory,
  retention: { events: 3 },
  ...archiveUses(t.db),
  log: (line) => void lines.push(line),
  ...changes,
})

beforeAll(async () => {
  await makeOldMonths(t.owner, 8)
  // As in production, the owner of the tables is no superuser, and forced row level security binds it.
  await t.owner.query(
    `do $$ begin create role ${archivist} login password 'test'; exception when duplicate_object then null; end $$`,
  )
  await t.owner.query(
    `grant create, usage on schema public to ${archivist}; grant select on migrations to ${archivist}`,
  )
  const { rows } = await t.owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and (relname = 'archives' or relkind = 'p' or relispartition)`,
  )
  for (const { name } of rows) await t.owner.query(`alter table ${name} owner to ${archivist}`)
})
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
  lines = []
  owner = await connectOwner(urlOf(archivist))
  await fillMonth(t.owner, { orgId: orgA, monthsAgo: 5, count: 300, data: 'a "quoted" one,\n on two lines' })
  await fillMonth(t.owner, { orgId: orgB, monthsAgo: 5, count: 200 })
  await fillMonth(t.owner, { orgId: orgA, monthsAgo: 1, count: 50 })
})
afterEach(async () => {
  await owner.end()
  rmSync(directory, { recursive: true, force: true })
  await t.owner.query(
    'delete from events; delete from deliveries; delete from legal_holds; delete from audit_unsealed',
  )
})
afterAll(() => t.owner.query(`reassign owned by ${archivist} to postgres; drop owned by ${archivist}`))

/** Puts back what a test has archived, so that the next one finds the partitions. */
const restoreAll = async (): Promise<void> => {
  const { rows } = await t.owner.query<{ name: string }>('select partition_name as name from archives')
  for (const { name } of rows) await restoreArchive(owner, pathOf(name))
}

it('the list of tables is that of the catalogue, and both count ids alike', async () => {
  const { rows } = await t.owner.query<{ table: string; key: string }>(
    `select partrelid::regclass::text as table, pg_get_partkeydef(partrelid) as key from pg_partitioned_table order by 1`,
  )
  expect(rows).toEqual(
    Object.entries(growingTables).map(([table, column]) => ({ table, key: `RANGE (${column})` })),
  )
  const moment = new Date('2026-11-17T05:10:00.123Z')
  const { rows: ids } = await t.owner.query('select first_id_at($1) as id', [moment])
  expect(ids).toEqual([{ id: firstIdAt(moment) }])
})

describe('archiving', () => {
  it('moves the months that are older than their retention to files, and keeps the others', async () => {
    const kept = await rowsOf(monthName('events', 1))
    expect(kept).toHaveLength(50)
    const moved = await archiveMonths(depsOf())
    // Eight months were made, of which the newest three stay; and what is older than all of them.
    expect(moved).toBe(6)
    expect(lines.find((line) => line.includes(old))).toMatch(
      /is archived: 500 rows in .+, SHA-256 [0-9a-f]{64}$/,
    )
    expect(await isTable(old)).toBe(false)
    expect(await rowsOf('events')).toEqual(kept)
    expect(await archives()).toContainEqual({ name: old, rows: 500, isDropped: true })
    await restoreAll()
  })

  it('writes every value as it was, and puts it back by a command', async () => {
    const before = await rowsOf('events')
    await archiveMonths(depsOf())
    expect(await rowsOf('events')).toHaveLength(50)
    await restoreAll()
    expect(await rowsOf('events')).toEqual(before)
    expect(await archives()).toEqual([])
    expect(
      await t.owner.query(
        'select relrowsecurity and relforcerowsecurity as safe from pg_class where relname = $1',
        [old],
      ),
    ).toMatchObject({
      rows: [{ safe: true }],
    })
  })

  it('keeps everything without a retention', async () => {
    expect(await archiveMonths(depsOf({ retention: {} }))).toBe(0)
    expect(await rowsOf('events')).toHaveLength(550)
  })

  it('leaves a month alone while an organisation with rows in it is under a legal hold', async () => {
    await t.owner.query(
      `insert into legal_holds (org_id, hold_id, subject, subject_id, reason, placed_by, placed_at)
       values ($1, $2, 'payment', $2, 'Case 1', 'x', now())`,
      [orgB, newId()],
    )
    await archiveMonths(depsOf())
    expect(lines).toContain(`${old} stays: the organisation ${orgB} is under a legal hold and has rows in it`)
    expect(await rowsOf('events')).toHaveLength(550)
    await restoreAll()
  })

  it('puts a month back when a hold is placed while it is written', async () => {
    const before = await rowsOf('events')
    let asked = 0
    // The first answer is for the month before its rows are detached.
    const listHeldOrgs = (): Promise<string[]> => Promise.resolve(asked++ % 2 === 0 ? [] : [orgA])
    await archiveMonths(depsOf({ listHeldOrgs, retention: { events: 3 } }))
    expect(lines).toContain(
      `${old} was put back: the organisation ${orgA} is under a legal hold and has rows in it`,
    )
    expect(await rowsOf('events')).toEqual(before)
    expect(existsSync(pathOf(old))).toBe(false)
    await restoreAll()
  })

  it('leaves events alone that an endpoint waits for, and entries that no block has', async () => {
    const { rows } = await t.owner.query(`select event_id from ${old} limit 1`)
    await t.owner.query(
      `insert into deliveries (org_id, delivery_id, webhook_id, event_id, event_type) values ($1, $2, $2, $3, 'x')`,
      [orgA, newId(), rows[0].event_id],
    )
    await archiveMonths(depsOf({ retention: { events: 3, audit_log: 3 } }))
    expect(lines).toContain(`${old} stays: an event of it waits for an endpoint, which may be paused`)
    expect(lines).toContain(`${monthName('audit_log', 5)} stays: an entry of it is not sealed yet`)
    await restoreAll()
  })

  it('is done by one process at a time', async () => {
    const other = await connectOwner(urlOf(archivist))
    await other.query(`select pg_advisory_lock(hashtextextended('archives', 0))`)
    await expect(archiveMonths(depsOf())).rejects.toThrow('Another process is archiving.')
    await other.end()
  })
})

describe('a crash', () => {
  const crash = (after: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const program = join(import.meta.dirname, '../../../../test/processes/crash-points/crashing-archive.ts')
      const env = {
        ...process.env,
        CRASH_AFTER: after,
        OWNER_URL: urlOf(archivist),
        APP_URL: urlOf('switchyard_app'),
        SYSTEM_URL: urlOf('switchyard_system'),
        DIRECTORY: directory,
      }
      execFile(process.execPath, [program], { env }, (error) => resolve(error?.signal ?? undefined))
    })

  /** Postgres notices a moment later that the process is gone, and frees its lock. */
  const untilGone = (): Promise<unknown> =>
    waitUntil(
      async () => {
        const { rowCount } = await t.owner.query(
          `select from pg_stat_activity where usename = '${archivist}' and pid <> $1`,
          [(await owner.query('select pg_backend_pid() as pid')).rows[0].pid],
        )
        return rowCount === 0
      },
      { what: 'the process to be gone' },
    )

  it.each(['begun', 'detached', 'written', 'verified', 'dropped'])(
    'by kill -9 after a month is %s loses no row, and the next run goes on',
    async (step) => {
      const before = await rowsOf('events')
      expect(await crash(step)).toBe('SIGKILL')
      await untilGone()
      await archiveMonths(depsOf())
      expect(await rowsOf('events')).toHaveLength(50)
      expect(await archives()).toHaveLength(6)
      await restoreAll()
      expect(await rowsOf('events')).toEqual(before)
    },
  )

  it('while a month is being detached is finished by the next run', async () => {
    const reader = await t.owner.connect()
    await reader.query('begin; select count(*) from events')
    const failed = archiveMonths(depsOf()).catch((error: pg.DatabaseError) => error.code)
    await untilLockAwaited(t.owner)
    await t.owner.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where usename = '${archivist}' and query like '%concurrently%'`,
    )
    expect(await failed).toBe('57014')
    await reader.query('commit')
    reader.release()
    expect((await t.owner.query('select from pg_inherits where inhdetachpending')).rowCount).toBe(1)
    await archiveMonths({ ...depsOf() })
    expect(await rowsOf('events')).toHaveLength(50)
    await restoreAll()
  })
})

describe('an archive', () => {
  it('is described by its manifest and gives the rows of one organisation', async () => {
    await archiveMonths(depsOf())
    const manifest = await verifyArchive(pathOf(old))
    expect(manifest).toMatchObject({ table: 'events', partition: old, rows: 500 })
    let count = 0
    await readArchive(pathOf(old), manifest, (record) => {
      if (record.startsWith(`${orgB},`)) count += 1
    })
    expect(count).toBe(200)
    await restoreAll()
  })

  it.each([
    ['a byte of it', (bytes: Buffer) => bytes.fill(bytes[100] === 7 ? 8 : 7, 100, 101)],
    ['its end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)],
  ])('that lost or changed %s is refused', async (_what, change) => {
    await archiveMonths(depsOf())
    const whole = readFileSync(pathOf(old))
    writeFileSync(pathOf(old), change(Buffer.from(whole)))
    await expect(verifyArchive(pathOf(old))).rejects.toThrow(/was changed|is damaged/)
    await expect(restoreArchive(owner, pathOf(old))).rejects.toThrow(/was changed|is damaged/)
    expect(await isTable(old)).toBe(false)
    writeFileSync(pathOf(old), whole)
    await restoreAll()
  })
})
