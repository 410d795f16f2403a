import { join } from 'node:path'
import type pg from 'pg'
import { firstIdAt } from '../../../lib/ids.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Database } from '../database.ts'
import { digestOf, removeArchive, verifyArchive, writeArchive } from './archive-file.ts'
import { copyOut } from './copy-stream.ts'
import { growingTables, type GrowingTable, type Partition } from './growing-tables.ts'
import { archiveNameOf, type Manifest } from './manifest.ts'
import * as partitions from './partitions.ts'

/** How many months each table keeps; one that is not named keeps everything. */
export type Retention = Partial<Record<GrowingTable, number | undefined>>

type Step = 'begun' | 'detached' | 'written' | 'verified' | 'dropped'

export interface ArchiveDeps {
  /** Owns the tables. */
  owner: pg.Client
  db: Database
  clock: Clock
  directory: string
  retention: Retention
  /** Organisations that must be able to read everything they have. */
  listHeldOrgs: () => Promise<string[]>
  /** What still needs rows of the month, beside organisations under a hold, as a sentence. */
  findUse: (partition: Partition) => Promise<string | undefined>
  log: (line: string) => void
  /** For tests that end the process there. */
  afterStep?: (step: Step) => void
}

/**
 * Moves every month that is wholly older than its table's retention out of the database, oldest first: detaches it while
 * others read and write, writes it to a file, reads the file back, and only then drops the rows. Run again after a
 * crash, it resumes where it stopped. Returns how many months it has moved.
 */
export async function archiveMonths(deps: ArchiveDeps): Promise<number> {
  const { owner } = deps
  if (!(await partitions.lockArchiving(owner))) throw new Error('Another process is archiving.')
  const begun = await partitions.selectOpenArchives(owner)
  const attached = await partitions.selectPartitions(owner)
  const names = new Set(attached.map(({ name }) => name))
  // Nothing has happened yet to one that was begun and is still attached: it is begun again, if it still is due.
  for (const partition of begun)
    if (names.has(partition.name)) await partitions.deleteArchive(owner, partition)
  const due = attached.filter((partition) => isDue(deps, partition))
  let moved = 0
  for (const partition of [...begun.filter(({ name }) => !names.has(name)), ...due])
    if (await archiveMonth(deps, partition)) moved += 1
  if (moved > 0) await partitions.analyzeTables(owner)
  return moved
}

function isDue({ clock, retention }: ArchiveDeps, { table, toId }: Partition): boolean {
  const months = retention[table]
  if (months === undefined) return false
  const oldest = new Date(clock.now())
  oldest.setUTCMonth(oldest.getUTCMonth() - months, 1)
  oldest.setUTCHours(0, 0, 0, 0)
  return toId <= firstIdAt(oldest)
}

async function archiveMonth(deps: ArchiveDeps, partition: Partition): Promise<boolean> {
  const { owner, log, afterStep } = deps
  const attachment = await partitions.findAttachment(owner, partition)
  if (attachment === 'attached') {
    const obstacle = await findObstacle(deps, partition, (orgIds) =>
      partitions.findOrgInRange(deps.db, partition, orgIds),
    )
    if (obstacle !== undefined) {
      log(`${partition.name} stays: ${obstacle}`)
      return false
    }
    // From here on, a reader who misses a row gets the error that its month is archived.
    await partitions.insertArchive(owner, partition)
    afterStep?.('begun')
  }
  if (attachment !== 'detached') await partitions.detachPartition(owner, partition, attachment)
  await partitions.openToOwner(owner, partition)
  afterStep?.('detached')
  return endArchive(deps, partition)
}

/** From a detached partition to a file and no partition, or back where it was if its rows are needed after all. */
async function endArchive(deps: ArchiveDeps, partition: Partition): Promise<boolean> {
  const { owner, log, afterStep } = deps
  const path = join(deps.directory, archiveNameOf(partition.name))
  await writeMonth(deps, partition, path)
  afterStep?.('written')
  const manifest = await verifyArchive(path)
  // The table is read a second time, so that the file is known to have what the table has, and not what once was sent.
  if ((await digestOf(copyMonth(owner, partition, manifest.columns))) !== manifest.csv_sha256)
    throw new Error(`${path} does not have what the table ${partition.name} has`)
  afterStep?.('verified')
  const obstacle = await findObstacle(deps, partition, (orgIds) =>
    partitions.findOrgIn(owner, partition, orgIds),
  )
  if (obstacle !== undefined) {
    await partitions.inTransaction(owner, () => partitions.attachPartition(owner, partition))
    await removeArchive(path)
    log(`${partition.name} was put back: ${obstacle}`)
    return false
  }
  await partitions.dropPartition(owner, partition, { ...manifest, file: archiveNameOf(partition.name) })
  afterStep?.('dropped')
  log(`${partition.name} is archived: ${manifest.rows} rows in ${path}, SHA-256 ${manifest.sha256}`)
  return true
}

async function findObstacle(
  deps: ArchiveDeps,
  partition: Partition,
  findOrg: (orgIds: string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const orgIds = await deps.listHeldOrgs()
  const held = orgIds.length === 0 ? undefined : await findOrg(orgIds)
  return held === undefined
    ? deps.findUse(partition)
    : `the organisation ${held} is under a legal hold and has rows in it`
}

function copyMonth(
  owner: pg.Client,
  { table, name }: Partition,
  columns: readonly string[],
): ReturnType<typeof copyOut> {
  const list = columns.map((column) => owner.escapeIdentifier(column)).join(', ')
  const rows = `select ${list} from ${partitions.quoted(name)} order by org_id, ${growingTables[table]}`
  return copyOut(owner, `copy (${rows}) to stdout with (format csv, header true)`)
}

async function writeMonth(
  { owner, clock }: ArchiveDeps,
  partition: Partition,
  path: string,
): Promise<Manifest> {
  const columns = await partitions.selectColumns(owner, partition)
  const schemaVersion = await partitions.readSchemaVersion(owner)
  return writeArchive(path, copyMonth(owner, partition, columns), {
    table: partition.table,
    partition: partition.name,
    from_id: partition.fromId,
    to_id: partition.toId,
    columns,
    schema_version: schemaVersion,
    archived_at: clock.now().toISOString(),
  })
}
