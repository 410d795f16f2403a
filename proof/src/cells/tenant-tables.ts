import type { Client } from 'pg'

/** A table with `org_id`, as the catalogue of Postgres describes it. */
export type TenantTable = {
  readonly name: string
  /** All but the generated ones. */
  readonly columns: readonly string[]
  readonly keys: readonly string[]
  /** A column whose values come from a sequence. */
  readonly identity: string | undefined
}

type Row = { name: string; columns: string[]; keys: string[]; identity: string | null }

/** Names the organisations that are fenced in this cell, so it does not move with them. */
export const fenceTable = 'cell_fences'

/** Every tenant table carries `org_id`, so the list needs no upkeep: a table that is added moves with the others. */
export async function readTenantTables(client: Client): Promise<TenantTable[]> {
  const { rows } = await client.query<Row>(`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      (select array_agg(k.attname::text order by k.attnum) from pg_index i
       join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey)
       where i.indrelid = c.oid and i.indisprimary) as keys,
      max(a.attname::text) filter (where a.attidentity <> '') as identity
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and c.relname <> '${fenceTable}'
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org_id')
    group by c.oid, c.relname order by c.relname`)
  return rows.map(({ identity, ...table }) => ({ ...table, identity: identity ?? undefined }))
}

const quoted = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `${prefix}"${name}"`).join(', ')

/** A transfer's number of the transaction that wrote it, which means nothing in another cluster; 0 counts as folded. */
const transactionNumber = 'xact_id'

export const columnsOf = ({ columns }: TenantTable): string => quoted(columns)
export const keysOf = ({ keys }: TenantTable, prefix = ''): string => quoted(keys, prefix)

/** What a row's columns are in the new cell. */
export const copiedColumnsOf = ({ columns }: TenantTable): string =>
  columns.map((name) => (name === transactionNumber ? `0::bigint as "${name}"` : `"${name}"`)).join(', ')
