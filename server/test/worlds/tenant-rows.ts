import type pg from 'pg'
import { newId } from '../../src/lib/ids.ts'

/** Finds rows of an organisation by column name only, so that new tables are covered automatically. */
interface TenantRows {
  /** Whether the column is part of the key of a tenant table, beside org_id. */
  isKey(column: string): boolean
  /** The column's newest value in the organisation; older rows are more likely to be protected. */
  find(orgId: string, column: string): Promise<string | undefined>
  /** As find, but inserts a row when there is none. */
  ensure(orgId: string, column: string): Promise<string | undefined>
  /** One id of each kind of row that the organisation has. */
  everyKey(orgId: string): Promise<string[]>
  /** Every identifying value that only the first organisation has. */
  canaries(orgId: string, otherOrgId: string): Promise<Set<string>>
}

interface Column {
  table: string
  column: string
  type: string
  isKey: boolean
  isNeeded: boolean
  length: number | null
  check: string | null
}

/** Columns and JSON keys whose values identify an organisation; inserted rows have `canary`. */
const tellingName = /(_id|name|email|recipient|phone|reference|url|canary)$/
/** Shorter values may match by chance. */
const canaryLength = 6

export async function readTenantRows(owner: pg.Pool): Promise<TenantRows> {
  const columns = await readColumns(owner)
  const holdersOf = (name: string): Column[] =>
    columns.filter((one) => one.column === name).sort((a, b) => Number(b.isKey) - Number(a.isKey))
  const find: TenantRows['find'] = async (orgId, name) => {
    if (name === 'org_id') return orgId
    for (const { table } of holdersOf(name)) {
      const newest = `select ${name} as id from ${table} where org_id = $1 and ${name} is not null order by 1 desc limit 1`
      const { rows } = await owner.query<{ id: unknown }>(newest, [orgId])
      if (rows[0]) return String(rows[0].id)
    }
    return undefined
  }
  return {
    isKey: (name) => name === 'org_id' || (name.endsWith('_id') && holdersOf(name).some((one) => one.isKey)),
    find,
    async ensure(orgId, name) {
      const found = await find(orgId, name)
      if (found !== undefined) return found
      for (const holder of holdersOf(name))
        if (await insertRow(owner, orgId, holder, columns)) return find(orgId, name)
      return undefined
    },
    async everyKey(orgId) {
      const names = new Set(
        columns.filter((one) => one.isKey && one.type === 'uuid').map((one) => one.column),
      )
      const ids = await Promise.all(
        [...names].filter((name) => name !== 'org_id').map((name) => find(orgId, name)),
      )
      return ids.filter((id) => id !== undefined)
    },
    async canaries(orgId, otherOrgId) {
      const mine = await textsOf(owner, orgId, columns)
      return mine.difference(await textsOf(owner, otherOrgId, columns))
    },
  }
}

async function textsOf(owner: pg.Pool, orgId: string, columns: readonly Column[]): Promise<Set<string>> {
  const texts = new Set<string>()
  for (const table of new Set(columns.map((one) => one.table))) {
    const { rows } = await owner.query<Record<string, unknown>>(`select * from ${table} where org_id = $1`, [
      orgId,
    ])
    for (const row of rows) for (const text of textsIn(row, '')) texts.add(text)
  }
  return texts
}

function textsIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') {
    const isTelling = tellingName.test(name) || value.startsWith('canary ')
    return isTelling && value.length >= canaryLength ? [value] : []
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, key))
}

/** Inserts a row without the rows that it references; returns false when Postgres refuses it. */
async function insertRow(
  owner: pg.Pool,
  orgId: string,
  wanted: Column,
  columns: readonly Column[],
): Promise<boolean> {
  const filled = columns.filter(
    (one) => one.table === wanted.table && (one.isNeeded || one.column === wanted.column),
  )
  const values = filled.map((one) => (one.column === 'org_id' ? orgId : madeUp(one)))
  const places = values.map((_value, index) => `$${index + 1}`).join()
  const client = await owner.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    const names = filled.map((one) => one.column).join()
    await client.query(`insert into ${wanted.table} (${names}) values (${places})`, values)
    await client.query('commit')
    return true
  } catch {
    await client.query('rollback')
    return false
  } finally {
    client.release()
  }
}

function madeUp({ type, check, length }: Column): unknown {
  const allowed = /ARRAY\['([^']+)'/.exec(check ?? '')?.[1]
  if (allowed !== undefined) return allowed
  if (type === 'uuid') return newId()
  if (type === 'boolean') return true
  if (type.startsWith('timestamp') || type === 'date') return new Date()
  if (['integer', 'bigint', 'smallint', 'numeric', 'double precision'].includes(type)) return 1
  if (type === 'jsonb') return { canary: `canary ${newId()}` }
  if (type === 'bytea') return Buffer.from(newId())
  if (type === 'ARRAY') return []
  return length === null ? `canary ${newId()}` : 'X'.repeat(length)
}

async function readColumns(owner: pg.Pool): Promise<Column[]> {
  const { rows } = await owner.query<Column>(`
    select c.table_name as table, c.column_name as column, c.data_type as type,
      c.is_nullable = 'NO' and c.column_default is null and c.is_generated = 'NEVER' as "isNeeded",
      case when c.data_type = 'character' then c.character_maximum_length end as length,
      exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indisprimary and i.indrelid = c.table_name::regclass and a.attname = c.column_name) as "isKey",
      (select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
        where k.contype = 'c' and k.conrelid = c.table_name::regclass and a.attname = c.column_name) as check
    from information_schema.columns c
    join information_schema.columns o on o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'org_id'
    where c.table_schema = 'public'
      and not exists (select from pg_class p
        where p.relname = c.table_name and p.relnamespace = 'public'::regnamespace and p.relispartition)
    order by 1, 2`)
  return rows
}
