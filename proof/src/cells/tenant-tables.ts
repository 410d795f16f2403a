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
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org_id')
    group by c.oid, c.relname order by c.relname`)
  return rows.map(({ identity, ...table }) => ({ ...table, identity: identity ?? undefined }))
}

const quoted = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `${prefix}"${name}"`).join(', ')

export const columnsOf = ({ columns }: TenantTable): string => quoted(columns)
export const keysOf = ({ keys }: TenantTable, prefix = ''): string => quoted(keys, prefix)
