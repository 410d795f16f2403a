import type { Client } from 'pg'
import { columnsOf, copiedColumnsOf, keysOf, type TenantTable } from './tenant-tables.ts'

type Copy = {
  from: Client
  to: Client
  tables: readonly TenantTable[]
  orgId: string
  /** Copies only rows that were written since this copy. */
  since?: Copied
}

export type Copied = {
  rows: number
  /** The oldest transaction that the copy may have missed. */
  horizon: string
  /** The transactions of the new cell that wrote this copy and those before it. */
  writers: readonly string[]
}

const batchRows = 1_000

/**
 * Copies an organisation in one snapshot; rows that are there already are replaced, those that are gone are removed.
 * Then it compares what it has copied, so a copy that follows another one compares only what is new.
 */
export async function copyRows({ from, to, tables, orgId, since }: Copy): Promise<Copied> {
  await from.query('begin isolation level repeatable read read only')
  await to.query('begin')
  try {
    // The rows are copied with all that triggers and foreign keys have made of them, so neither acts again.
    await to.query('set local session_replication_role = replica')
    const [horizon, writer] = await Promise.all([
      oneText(from, 'select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text'),
      oneText(to, 'select pg_current_xact_id()::xid::text'),
    ])
    const between = {
      from,
      to,
      orgId,
      isNew: since === undefined ? 'true' : `age(xmin) <= age('${since.horizon}'::xid)`,
      writer,
      writers: [...(since?.writers ?? []), writer],
    }
    let rows = 0
    const different: string[] = []
    for (const table of tables) {
      rows += await copyTable(between, table)
      if (await isSame(between, table)) continue
      if (since !== undefined) await removeGone(between, table)
      if (!(await isSame(between, table))) different.push(table.name)
    }
    if (different.length > 0) throw new Error(`the cells differ after the copy: ${different.join(', ')}`)
    await from.query('commit')
    await to.query('commit')
    return { rows, horizon, writers: between.writers }
  } catch (error) {
    await Promise.allSettled([from.query('rollback'), to.query('rollback')])
    throw error
  }
}

type Between = {
  from: Client
  to: Client
  orgId: string
  /** A condition in SQL: the row was written since the copy before. */
  isNew: string
  writer: string
  writers: readonly string[]
}

async function copyTable({ from, to, orgId, isNew }: Between, table: TenantTable): Promise<number> {
  await from.query(
    `declare moved no scroll cursor for select to_jsonb(t)::text as row from
     (select ${copiedColumnsOf(table)} from "${table.name}" where org_id = '${orgId}' and ${isNew}) t`,
  )
  let count = 0
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`fetch ${batchRows} from moved`)
    if (rows.length === 0) break
    // As text: JavaScript's numbers would round amounts.
    await writeBatch(to, table, `[${rows.map(({ row }) => row).join(',')}]`)
    count += rows.length
  }
  await from.query('close moved')
  if (table.identity !== undefined && count > 0) await raiseSequence(to, table.name, table.identity)
  return count
}

async function writeBatch(to: Client, table: TenantTable, rows: string): Promise<void> {
  const record = `jsonb_populate_recordset(null::"${table.name}", $1::jsonb)`
  await to.query(
    `delete from "${table.name}" t using ${record} n where (${keysOf(table, 't.')}) = (${keysOf(table, 'n.')})`,
    [rows],
  )
  await to.query(
    `insert into "${table.name}" (${columnsOf(table)}) overriding system value select ${columnsOf(table)} from ${record}`,
    [rows],
  )
}

/** The sequence of the new cell must not give out a number that came with the organisation. */
const raiseSequence = (to: Client, table: string, column: string): Promise<unknown> =>
  to.query(
    `select setval(s, greatest((select max("${column}") from "${table}"), nextval(s)))
     from pg_get_serial_sequence('${table}', '${column}') s`,
  )

/** Removes rows that were deleted between two copies. */
async function removeGone({ from, to, orgId }: Between, table: TenantTable): Promise<void> {
  const keys = await oneText(
    from,
    `select coalesce(jsonb_agg(to_jsonb(k)), '[]')::text from
     (select ${keysOf(table)} from "${table.name}" where org_id = $1) k`,
    [orgId],
  )
  await to.query(
    `delete from "${table.name}" t where org_id = $1 and (${keysOf(table, 't.')}) not in
     (select ${keysOf(table)} from jsonb_populate_recordset(null::"${table.name}", $2::jsonb))`,
    [orgId, keys],
  )
}

/**
 * Whether the new cell has the rows that were just copied, whatever their order, as many rows in all as the old one, and
 * none that something else than a copy has written.
 */
async function isSame(
  { from, to, orgId, isNew, writer, writers }: Between,
  table: TenantTable,
): Promise<boolean> {
  const digest = (client: Client, isCopied: string, isForeign: string): Promise<string> =>
    oneText(
      client,
      `select concat_ws(' ', count(*), count(*) filter (where ${isForeign}),
         sum(hashtextextended((select c from (select ${copiedColumnsOf(table)}) c)::text, 0)::numeric) filter (where ${isCopied}))
       from "${table.name}" where org_id = $1`,
      [orgId],
    )
  const xids = writers.map((xid) => `'${xid}'::xid`).join(', ')
  const [old, fresh] = await Promise.all([
    digest(from, isNew, 'false'),
    digest(to, `xmin = '${writer}'::xid`, `xmin not in (${xids})`),
  ])
  return old === fresh
}

async function oneText(client: Client, text: string, values: readonly string[] = []): Promise<string> {
  const { rows } = await client.query<[string]>({ text, values: [...values], rowMode: 'array' })
  const [value] = rows[0] ?? []
  if (value === undefined) throw new Error(`no row for: ${text}`)
  return value
}

export async function removeRows(
  client: Client,
  tables: readonly TenantTable[],
  orgId: string,
): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  for (const { name } of tables) await client.query(`delete from "${name}" where org_id = $1`, [orgId])
  await client.query('commit')
}

/** Folds the balances of a cell once; before that, a transfer of transaction 0 would not count as folded. */
export async function foldOnce(client: Client): Promise<void> {
  await client.query('begin')
  // Waits for a fold of the worker, beside which another one would do nothing.
  await client.query('select from balance_fold_progress for update')
  await client.query('select fold_balances()')
  await client.query('commit')
}

/** The copied transfers count as folded, so the stored sums are those of all of them. */
export async function foldBalances(client: Client, orgId: string): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query('delete from balance_folds where org_id = $1', [orgId])
  await client.query(
    `insert into balance_folds (org_id, account, currency, posted_minor, held_minor)
     select org_id, account, currency, sum(posted_minor), sum(held_minor) from available_entries
     where org_id = $1 group by org_id, account, currency`,
    [orgId],
  )
  await client.query('commit')
}
