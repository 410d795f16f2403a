import pg from 'pg'
import { makeOldMonths } from '@switchyard/server/test/worlds/old-months.ts'
import { withoutIndexes } from '@switchyard/server/test/sql/without-indexes.ts'

/** The tables of a payment. Those in `newest` are filled for the newest tenth only, as older rows would be archived. */
const tables = {
  all: ['payments', 'attempts', 'ledger_transfers', 'audit_log', 'inbox'],
  newest: ['events', 'deliveries'],
} as const

const batchSize = 50_000
/** Ten million payments take 23 of these months. */
const monthsBack = 24
const secondsBetween = 6
const organizations = 100
/** One payment in this many is of the organisation that is measured, which has more pages than are turned from 10,000 on. */
const ownShare = 4
const lanes = 2
/** More payments than this are filled in before their indexes are built. */
const indexedRows = 500_000

/** All values derive from the payment's number `g`, so the tables agree without joins. Only stable functions are inlined. */
const functions = `
  create function pg_temp.at_time(g bigint) returns timestamptz(3) stable language sql
    return (date_trunc('month', now() at time zone 'UTC') - interval '${monthsBack} months') at time zone 'UTC'
      + g * interval '${secondsBetween} seconds';
  create function pg_temp.id_of(g bigint, salt text) returns uuid stable language sql
    return overlay(overlay(lpad(to_hex((extract(epoch from pg_temp.at_time(g)) * 1000)::bigint), 12, '0') ||
      substr(md5(salt || g), 1, 20) placing '7' from 13 for 1) placing '8' from 17 for 1)::uuid;
  create function pg_temp.org_of(g bigint, own uuid) returns uuid stable language sql
    return case when g % ${ownShare} = 0 then own else md5('org' || g % ${organizations})::uuid end;
`

/** The columns that differ between payments; all others are copied from the model payment. */
const changes: Readonly<Record<string, string>> = {
  org_id: 'pg_temp.org_of(g, t.org_id)',
  payment_id: `pg_temp.id_of(g, 'payment')`,
  cause_id: `pg_temp.id_of(g, 'payment')`,
  'events.resource_id': `pg_temp.id_of(g, 'payment')`,
  'audit_log.resource_id': `pg_temp.id_of(g, 'payment')::text`,
  audit_id: `pg_temp.id_of(g, t.audit_id::text)`,
  'events.event_id': `pg_temp.id_of(g, t.event_type || t.sequence)`,
  'deliveries.event_id': `pg_temp.id_of(g, t.event_type || t.attempts)`,
  delivery_id: `pg_temp.id_of(g, t.delivery_id::text)`,
  'attempts.reference': `md5('reference' || g)::uuid`,
  'inbox.reference': `md5('reference' || g)`,
  dedupe_key: `md5('dedupe' || g) || t.dedupe_key`,
  client_reference: `'order-' || md5('order' || g)`,
  request_id: `pg_temp.id_of(g, 'request')::text`,
  created_at: 'pg_temp.at_time(g)',
  updated_at: 'pg_temp.at_time(g)',
}

/** The column that refers to the payment. */
const ownerColumn: Readonly<Record<string, string>> = {
  payments: 'payment_id',
  attempts: 'payment_id',
  ledger_transfers: 'cause_id',
  audit_log: 'resource_id',
  inbox: 'payment_id',
  events: 'resource_id',
}

/** Inserts the payments `from` to `to`, as copies of a payment that the API has completed. */
export async function fillPayments(databaseUrl: string, fill: Fill): Promise<void> {
  const waiting = [...paymentTables]
  const lane = (): Promise<void> =>
    withClient(databaseUrl, async (client) => {
      await client.query(`set synchronous_commit = off; set session_replication_role = replica`)
      await client.query(functions)
      for (let table = waiting.shift(); table !== undefined; table = waiting.shift())
        await fillTable(client, table, fill)
    })
  await withClient(databaseUrl, async (client) => {
    await setSafety(client, 'off')
    if (fill.from === 0) {
      await makeOldMonths(client, monthsBack)
      await keepModel(client, fill.modelPaymentId)
    }
    const fillAll = async (): Promise<void> => void (await Promise.all(Array.from({ length: lanes }, lane)))
    if (fill.to - fill.from < indexedRows) await fillAll()
    else await withoutIndexes(client, paymentTables, fillAll)
    await setSafety(client, 'on')
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
}

/** Turns off what only matters for durability. */
async function setSafety(client: pg.Client, value: 'on' | 'off'): Promise<void> {
  await client.query(`alter system set fsync = ${value}`)
  await client.query(`alter system set full_page_writes = ${value}`)
  await client.query('select pg_reload_conf()')
}

type Fill = { modelPaymentId: string; from: number; to: number }

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

async function fillTable(client: pg.Client, table: string, { from, to }: Fill): Promise<void> {
  const isNewest = (tables.newest as readonly string[]).includes(table) // widened for includes()
  const first = isNewest ? Math.max(from, Math.floor(to * 0.9)) : from
  const insert = await insertInto(client, table)
  for (let start = first; start < to; start += batchSize)
    await client.query(insert, [start + 1, Math.min(start + batchSize, to)])
}

async function insertInto(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => changes[`${table}.${name}`] ?? changes[name] ?? `t.${name}`)
  return `insert into ${table} (${names.join()}) select ${values.join()}
    from generate_series($1::bigint, $2::bigint) g, ${modelOf(table)} t`
}

const modelOf = (table: string): string => `growth_model.${table}`

/** Keeps the rows of the model apart, because reading the payment adds to its audit log. */
async function keepModel(client: pg.Client, modelPaymentId: string): Promise<void> {
  await client.query('create schema growth_model')
  for (const table of paymentTables) {
    const rows =
      table === 'deliveries'
        ? `select d.* from deliveries d join events e using (org_id, event_id) where e.resource_id = '${modelPaymentId}'`
        : `select * from ${table} where ${ownerColumn[table]}::text = '${modelPaymentId}'`
    await client.query(`create table ${modelOf(table)} as ${rows}`)
    await client.query(`analyze ${modelOf(table)}`)
  }
}

export const paymentTables: readonly string[] = [...tables.all, ...tables.newest]
