import pg from 'pg'
import { inject } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { cloneDatabase } from './test-app.ts'

interface Dump {
  /** Everything in it, as a backup on a disk would have it. */
  text: string
  /** Loads it into a database of its own. */
  restore(): Promise<Awaited<ReturnType<typeof cloneDatabase>>>
}

/** Every row of every table at this moment, as a logical dump has them. */
export async function dumpDatabase(owner: pg.Pool): Promise<Dump> {
  const client = await owner.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
         and not exists (select from pg_class where relname = table_name and relnamespace = 'public'::regnamespace and relispartition)
       group by 1`,
    )
    const dumped = new Map<string, { columns: string; rows: string }>()
    for (const { name, columns } of tables) {
      const { rows } = await client.query<{ rows: string }>(
        `select coalesce(json_agg(one), '[]')::text as rows from (select ${columns} from ${name}) one`,
      )
      dumped.set(name, { columns, rows: rows[0]?.rows ?? '[]' })
    }
    await client.query('commit')
    return {
      text: [...dumped.values()].map(({ rows }) => rows).join('\n'),
      restore: () => restore(dumped),
    }
  } finally {
    client.release()
  }
}

async function restore(dumped: ReadonlyMap<string, { columns: string; rows: string }>) {
  const database = await cloneDatabase()
  const client = new pg.Client({
    connectionString: databaseUrl(inject('postgresUrl'), database.name, 'postgres'),
  })
  await client.connect()
  // Neither triggers nor foreign keys are in force during a restore.
  await client.query(`set session_replication_role = 'replica'`)
  await client.query(`truncate ${[...dumped.keys()].join(', ')}`)
  for (const [name, { columns, rows }] of dumped)
    await client.query(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
      [rows],
    )
  await client.end()
  return database
}
