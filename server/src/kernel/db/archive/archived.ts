import { sql } from 'kysely'
import { notFound, type AppError } from '../../../lib/errors.ts'
import { timeOfId } from '../../../lib/ids.ts'
import type { Database, Tx } from '../database.ts'
import { growingTables, type GrowingTable } from './growing-tables.ts'

/** The error for a row that is not there: it may never have existed, or its month was archived. */
export async function missingRow(
  tx: Tx,
  table: GrowingTable,
  { what, id }: { what: string; id: string },
): Promise<AppError> {
  const { rows } = await sql`
    select from archives where table_name = ${table} and from_id <= ${id} and to_id > ${id} limit 1`.execute(
    tx.db,
  )
  const time = timeOfId(id)
  if (rows.length === 0 || !time) return notFound(what)
  const month = time.toISOString().slice(0, 'YYYY-MM'.length)
  return notFound(what, `Those of ${month} were archived. Ask the operator to read it from the archive.`)
}

/** The tables of which months were archived since the thing with this id was made. */
export async function listArchivedSince(tx: Tx, id: string): Promise<GrowingTable[]> {
  const { rows } = await sql<{ table: GrowingTable }>`
    select distinct table_name as "table" from archives
    where table_name = any (${Object.keys(growingTables)}) and to_id > ${id} order by 1`.execute(tx.db)
  return rows.map(({ table }) => table)
}

/** The ranges of ids whose rows are in archives. */
export async function listArchivedRanges(
  db: Database['readAcrossOrgs'],
  table: GrowingTable,
): Promise<{ fromId: string; toId: string }[]> {
  const { rows } = await sql<{ fromId: string; toId: string }>`
    select from_id as "fromId", to_id as "toId" from archives where table_name = ${table} order by to_id`.execute(
    db,
  )
  return rows
}
