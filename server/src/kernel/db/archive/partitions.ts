import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database.ts'
import { growingTables, isGrowingTable, type GrowingTable, type Partition } from './growing-tables.ts'

/** Longer than an archive of a month takes to be written. */
const statementTimeoutMs = 6 * 60 * 60_000
/** Everything that waits behind a lock of ours waits for this long at most. */
const lockTimeoutMs = 50
const lockTries = 100
const lockNotAvailable = '55P03'
export const smallestId = '00000000-0000-0000-0000-000000000000'

/**
 * Connects as the owner of the tables. A statement that row level security would filter fails: half a month must not
 * become an archive. Values are written as text that does not depend on the server's settings.
 */
export async function connectOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    options: '-c row_security=off -c timezone=UTC -c datestyle=ISO -c bytea_output=hex -c search_path=public',
  })
  await client.connect()
  return client
}

/** False when another process archives. */
export async function lockArchiving(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ isLocked: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('archives', 0)) as "isLocked"`,
  )
  return rows[0]?.isLocked ?? false
}

/** Makes the partitions of the coming months, and returns how many were missing. */
export async function makePartitionsAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ made: number }>`select make_partitions_ahead() as made`.execute(
    db.readAcrossOrgs,
  )
  return rows[0]?.made ?? 0
}

/** Those that are attached, oldest first. */
export async function selectPartitions(owner: pg.Client): Promise<Partition[]> {
  const { rows } = await owner.query<Partition & { table: string; bounds: string }>(
    `select parent.relname as table, child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bounds
     from pg_inherits i join pg_class child on child.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
     where parent.relkind = 'p' and parent.relnamespace = 'public'::regnamespace and not i.inhdetachpending`,
  )
  return rows
    .flatMap(({ table, name, bounds }) => {
      const [, from, to] = /^FOR VALUES FROM \(([^)]+)\) TO \('([^']+)'\)$/.exec(bounds) ?? []
      const fromId = from === 'MINVALUE' ? smallestId : from?.replaceAll("'", '')
      return isGrowingTable(table) && fromId !== undefined && to !== undefined
        ? [{ table, name, fromId, toId: to }]
        : []
    })
    .sort((a, b) => a.toId.localeCompare(b.toId) || a.table.localeCompare(b.table))
}

type Attachment = 'attached' | 'detaching' | 'detached'

export async function findAttachment(owner: pg.Client, { name }: Partition): Promise<Attachment> {
  const { rows } = await owner.query<{ isAttached: boolean; isPending: boolean }>(
    `select i.inhrelid is not null as "isAttached", coalesce(i.inhdetachpending, false) as "isPending"
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relname = $1 and c.relnamespace = 'public'::regnamespace`,
    [name],
  )
  const [found] = rows
  if (!found) throw new Error(`the table ${name} does not exist`)
  if (found.isPending) return 'detaching'
  return found.isAttached ? 'attached' : 'detached'
}

/** Waits for transactions that still use the partition, without blocking others. */
export async function detachPartition(
  owner: pg.Client,
  partition: Partition,
  attachment: Exclude<Attachment, 'detached'>,
): Promise<void> {
  const how = attachment === 'detaching' ? 'finalize' : 'concurrently'
  await owner.query('set lock_timeout = 0')
  try {
    await owner.query(
      `alter table ${quoted(partition.table)} detach partition ${quoted(partition.name)} ${how}`,
    )
  } finally {
    await owner.query(`set lock_timeout = ${lockTimeoutMs}`)
  }
}

/** Its owner could not read a table whose row level security is forced; nobody else has a right on it. */
export const openToOwner = (owner: pg.Client, { name }: Partition): Promise<unknown> =>
  owner.query(`alter table ${quoted(name)} no force row level security`)

/** Puts a detached partition back, for an open transaction. It still has its constraint, so Postgres does not scan it. */
export async function attachPartition(
  owner: pg.Client,
  { table, name, fromId, toId }: Partition,
): Promise<void> {
  const from = fromId === smallestId ? 'minvalue' : pg.escapeLiteral(fromId)
  await owner.query(`alter table ${quoted(name)} enable row level security, force row level security`)
  await owner.query(
    `alter table ${quoted(table)} attach partition ${quoted(name)} for values from (${from}) to (${pg.escapeLiteral(toId)})`,
  )
  await owner.query('delete from archives where table_name = $1 and to_id = $2', [table, toId])
}

/** Drops a detached partition, and notes in which file its rows are. */
export const dropPartition = (
  owner: pg.Client,
  { table, name, toId }: Partition,
  archive: { file: string; rows: number; sha256: string },
): Promise<void> =>
  inTransaction(owner, async () => {
    await owner.query(`drop table ${quoted(name)}`)
    await owner.query(
      `update archives set file = $3, row_count = $4, sha256 = decode($5, 'hex'), dropped_at = now()
       where table_name = $1 and to_id = $2`,
      [table, toId, archive.file, archive.rows, archive.sha256],
    )
  })

/** Does it again while a lock is not available; nothing has been done then. */
export async function inTransaction(owner: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await owner.query('begin')
      await work()
      await owner.query('commit')
      return
    } catch (error) {
      await owner.query('rollback')
      const isLocked = error instanceof pg.DatabaseError && error.code === lockNotAvailable
      if (!isLocked || tries === lockTries) throw error
    }
  }
}

export const insertArchive = (owner: pg.Client, { table, name, fromId, toId }: Partition): Promise<unknown> =>
  owner.query(
    `insert into archives (table_name, partition_name, from_id, to_id) values ($1, $2, $3, $4) on conflict do nothing`,
    [table, name, fromId, toId],
  )

export const deleteArchive = (owner: pg.Client, { table, toId }: Partition): Promise<unknown> =>
  owner.query('delete from archives where table_name = $1 and to_id = $2', [table, toId])

/** Archives that were begun and not ended. */
export async function selectOpenArchives(owner: pg.Client): Promise<Partition[]> {
  const { rows } = await owner.query<{ table: GrowingTable; name: string; fromId: string; toId: string }>(
    `select table_name as "table", partition_name as name, from_id as "fromId", to_id as "toId" from archives
     where dropped_at is null order by to_id, table_name`,
  )
  return rows
}

/** Finds one of the organisations that has rows in a detached partition. */
export async function findOrgIn(
  owner: pg.Client,
  { name }: Partition,
  orgIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await owner.query<{ orgId: string }>(
    `select org_id as "orgId" from ${quoted(name)} where org_id = any ($1) limit 1`,
    [orgIds],
  )
  return rows[0]?.orgId
}

/** The same while it is attached. */
export async function findOrgInRange(
  db: Database,
  { table, fromId, toId }: Partition,
  orgIds: readonly string[],
): Promise<string | undefined> {
  const id = sql.ref(growingTables[table])
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from ${sql.table(table)}
    where org_id = any (${orgIds}::uuid[]) and ${id} >= ${fromId} and ${id} < ${toId} limit 1`.execute(
    db.readAcrossOrgs,
  )
  return rows[0]?.orgId
}

/** The columns whose values are stored, in the order of the table. */
export async function selectColumns(owner: pg.Client, { name }: Partition): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoted(name)],
  )
  return rows.map((row) => row.name)
}

export async function readSchemaVersion(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ name: string }>('select max(name) as name from migrations')
  return rows[0]?.name ?? ''
}

/** A partitioned table has statistics of its own, which autovacuum does not make. */
export const analyzeTables = async (owner: pg.Client): Promise<void> => {
  for (const table of Object.keys(growingTables)) await owner.query(`analyze only ${quoted(table)}`)
}

export const quoted = (name: string): string => `public.${pg.escapeIdentifier(name)}`
