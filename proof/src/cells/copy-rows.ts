import type { Client } from 'pg'
import { columnsOf, keysOf, type TenantTable } from './tenant-tables.ts'

type Copy = {
  from: Client
  to: Client
  tables: readonly TenantTable[]
  orgId: string
  /** Copies only rows that were written since this transaction. */
  since?: string
}

export type Copied = {
  rows: number
  /** The oldest transaction that the copy may have missed. */
  horizon: string
}

const batchRows = 1_000

/** Copies an organisation in one snapshot; rows that are there already are replaced, those that are gone are removed. */
export async function copyRows({ from, to, tables, orgId, since }: Copy): Promise<Copied> {
  await from.query('begin isolation level repeatable read read only')
  await to.query('begin')
  try {
    // The rows are copied with all that triggers and foreign keys have made of them, so neither acts again.
    await to.query('set local session_replication_role = replica')
    const { rows: snapshot } = await from.query<{ horizon: string }>(
      'select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text as horizon',
    )
    let count = 0
    for (const table of tables) count += await copyTable({ from, to, orgId, since }, table)
    if (since !== undefined) for (const table of tables) await removeGone({ from, to, orgId }, table)
    await from.query('commit')
    await to.query('commit')
    return { rows: count, horizon: snapshot[0]?.horizon ?? '0' }
  } catch (error) {
    await Promise.allSettled([from.query('rollback'), to.query('rollback')])
    throw error
  }
}

type Between = { from: Client; to: Client; orgId: string; since?: string | undefined }

async function copyTable({ from, to, orgId, since }: Between, table: TenantTable): Promise<number> {
  const isNewer = since === undefined ? '' : `and age(xmin) <= age('${since}'::xid)`
  await from.query(
    `declare moved no scroll cursor for select to_jsonb(t)::text as row from
     (select ${columnsOf(table)} from "${table.name}" where org_id = '${orgId}' ${isNewer}) t`,
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

/** Rows that were deleted between two copies. */
async function removeGone({ from, to, orgId }: Between, table: TenantTable): Promise<void> {
  const count = `select count(*)::integer as count from "${table.name}" where org_id = $1`
  const [old, fresh] = await Promise.all(
    [from, to].map((client) => client.query<{ count: number }>(count, [orgId])),
  )
  if (old?.rows[0]?.count === fresh?.rows[0]?.count) return
  const { rows } = await from.query<{ keys: string }>(
    `select coalesce(jsonb_agg(to_jsonb(k)), '[]')::text as keys from
     (select ${keysOf(table)} from "${table.name}" where org_id = $1) k`,
    [orgId],
  )
  await to.query(
    `delete from "${table.name}" t where org_id = $1 and (${keysOf(table, 't.')}) not in
     (select ${keysOf(table)} from jsonb_populate_recordset(null::"${table.name}", $2::jsonb))`,
    [orgId, rows[0]?.keys],
  )
}

/** A fingerprint of the organisation's rows in each table, whatever their order. */
export async function digestOf(
  client: Client,
  tables: readonly TenantTable[],
  orgId: string,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as digest
       from "${name}" t where org_id = $1`,
      [orgId],
    )
    digests.set(name, rows[0]?.digest ?? '')
  }
  return digests
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

/**
 * A transfer carries the number of the transaction that wrote it, which means nothing in another cluster. All that came
 * with the organisation counts as folded, and the stored sums are those of all its transfers.
 */
export async function renumberTransfers(client: Client, orgId: string): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query('update ledger_transfers set xact_id = 0 where org_id = $1', [orgId])
  await client.query('delete from balance_folds where org_id = $1', [orgId])
  await client.query(
    `insert into balance_folds (org_id, account, currency, posted_minor, held_minor)
     select org_id, account, currency, sum(posted_minor), sum(held_minor) from available_entries
     where org_id = $1 group by org_id, account, currency`,
    [orgId],
  )
  await client.query('commit')
}
