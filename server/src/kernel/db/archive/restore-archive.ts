import type pg from 'pg'
import { decompressed, verifyArchive } from './archive-file.ts'
import { copyIn } from './copy-stream.ts'
import { analyzeTables, attachPartition, inTransaction, quoted } from './partitions.ts'

/** Puts the rows of an archive back where they were. A column that is new since has its default. */
export async function restoreArchive(owner: pg.Client, path: string): Promise<number> {
  const manifest = await verifyArchive(path)
  const partition = {
    table: manifest.table,
    name: manifest.partition,
    fromId: manifest.from_id,
    toId: manifest.to_id,
  }
  const columns = manifest.columns.map((column) => owner.escapeIdentifier(column)).join(', ')
  await inTransaction(owner, async () => {
    await owner.query(
      `create table ${quoted(partition.name)} (like ${quoted(partition.table)} including all)`,
    )
    const rows = await copyIn(
      owner,
      `copy ${quoted(partition.name)} (${columns}) from stdin with (format csv, header true)`,
      decompressed(path),
    )
    if (rows !== manifest.rows) throw new Error(`${rows} rows were restored instead of ${manifest.rows}`)
    await attachPartition(owner, partition)
  })
  await analyzeTables(owner)
  return manifest.rows
}
