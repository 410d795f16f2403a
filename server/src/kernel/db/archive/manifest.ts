import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { growingTables, type GrowingTable } from './growing-tables.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The file beside an archive, by which it can be checked and read without the database that it came from. */
const manifest = z.object({
  format: z.literal('switchyard-archive/1'),
  table: z.enum(Object.keys(growingTables) as [GrowingTable, ...GrowingTable[]]), // the keys of the list
  partition: z.string(),
  from_id: z.uuid(),
  to_id: z.uuid(),
  columns: z.array(z.string()),
  rows: z.int().nonnegative(),
  /** Of the compressed file, as sha256sum prints it. */
  sha256,
  /** Of the CSV in it. */
  csv_sha256: sha256,
  /** The newest migration of the database that the rows come from. */
  schema_version: z.string(),
  archived_at: z.iso.datetime(),
})

export type Manifest = z.infer<typeof manifest>

const archiveEnding = '.csv.zst'

export const archiveNameOf = (partition: string): string => `${partition}${archiveEnding}`

export const manifestPathOf = (archivePath: string): string => {
  if (!archivePath.endsWith(archiveEnding))
    throw new Error(`${archivePath} is not the name of an archive, which ends with ${archiveEnding}`)
  return `${archivePath.slice(0, -archiveEnding.length)}.json`
}

export const readManifest = async (archivePath: string): Promise<Manifest> =>
  manifest.parse(JSON.parse(await readFile(manifestPathOf(archivePath), 'utf8')))
