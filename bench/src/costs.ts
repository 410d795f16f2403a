import pg from 'pg'
import { runLoad, type Load } from './run-load.ts'
import { formatTable } from './table.ts'
import type { BenchInstallation } from './installation.ts'

type TableSize = { name: string; rows: number; heapBytes: number; indexBytes: number; indexes: number }

const load: Load = { connections: 16, warmUpSeconds: 0, seconds: 5 }

const sizesQuery = `
  select c.relname as name, sum(pg_table_size(part.oid))::float8 as "heapBytes",
         sum(pg_indexes_size(part.oid))::float8 as "indexBytes",
         (select count(*) from pg_index i where i.indrelid = c.oid)::integer as indexes
  from pg_class c
  join lateral (select c.oid union all select inhrelid from pg_inherits where inhparent = c.oid) part on true
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
  group by c.oid, c.relname order by 1`

/** Groups by kind of WAL record. Splits count as index entries too, since each inserts one. */
const walQuery = `
  select "resource_manager/record_type" as kind, count::float8, combined_size::float8 as bytes, fpi_size::float8 as "fpiBytes"
  from pg_get_wal_stats($1, pg_current_wal_insert_lsn(), true) where count > 0`

/** Measures what one payment writes to Postgres: rows, index entries, bytes, WAL. */
export async function measureCosts(installation: BenchInstallation): Promise<string> {
  const client = new pg.Client({ connectionString: installation.ownerUrl })
  await client.connect()
  try {
    await client.query('create extension if not exists pg_walinspect')
    // Without it, the number of full-page images would depend on the time of the last checkpoint.
    await client.query('checkpoint')
    const before = await tableSizes(client)
    const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
    const { total } = await runLoad(installation, load)
    const wal = await client.query<{ kind: string; count: number; bytes: number; fpiBytes: number }>(
      walQuery,
      [rows[0]?.lsn],
    )
    return [tablesText(before, await tableSizes(client), total), walText(wal.rows, total)].join('\n\n')
  } finally {
    await client.end()
  }
}

async function tableSizes(client: pg.Client): Promise<TableSize[]> {
  const sizes = await client.query<Omit<TableSize, 'rows'>>(sizesQuery)
  const tables: TableSize[] = []
  for (const size of sizes.rows) {
    const counted = await client.query<{ count: string }>(
      `select count(*) from ${client.escapeIdentifier(size.name)}`,
    )
    tables.push({ ...size, rows: Number(counted.rows[0]?.count) })
  }
  return tables
}

function tablesText(before: readonly TableSize[], after: readonly TableSize[], payments: number): string {
  const grown = after
    .map((table, index) => ({
      ...table,
      rows: table.rows - (before[index]?.rows ?? 0),
      heapBytes: table.heapBytes - (before[index]?.heapBytes ?? 0),
      indexBytes: table.indexBytes - (before[index]?.indexBytes ?? 0),
    }))
    .filter(({ rows }) => rows > 0)
  const total = grown.reduce((sum, table) => sum + table.heapBytes + table.indexBytes, 0)
  const each = (value: number, digits = 0): string => (value / payments).toFixed(digits)
  return formatTable([
    [`per payment, of ${payments}`, 'rows', 'indexes', 'table bytes', 'index bytes'],
    ...grown.map((table) => [
      table.name,
      each(table.rows, 1),
      String(table.indexes),
      each(table.heapBytes),
      each(table.indexBytes),
    ]),
    ['together', '', '', '', each(total)],
  ])
}

type WalRow = { kind: string; count: number; bytes: number; fpiBytes: number }

function walText(rows: readonly WalRow[], payments: number): string {
  const counted = (...kinds: string[]): string =>
    (
      rows.filter((row) => kinds.includes(row.kind)).reduce((sum, row) => sum + row.count, 0) / payments
    ).toFixed(1)
  const sum = (of: (row: WalRow) => number): string =>
    (rows.reduce((total, row) => total + of(row), 0) / payments).toFixed(0)
  return formatTable([
    ['rows inserted', counted('Heap/INSERT', 'Heap/INSERT+INIT', 'Heap2/MULTI_INSERT')],
    ['rows updated in place (HOT)', counted('Heap/HOT_UPDATE')],
    ['rows updated with their indexes', counted('Heap/UPDATE', 'Heap/UPDATE+INIT')],
    ['rows deleted', counted('Heap/DELETE')],
    ['index entries', counted('Btree/INSERT_LEAF', 'Btree/SPLIT_L', 'Btree/SPLIT_R', 'Btree/INSERT_POST')],
    ['commits', counted('Transaction/COMMIT')],
    ['WAL bytes', sum((row) => row.bytes)],
    ['  of them images of whole pages', sum((row) => row.fpiBytes)],
  ])
}
