import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { NamedEntry } from '../build-index.ts'
import type { EntryKind, ListEntry, ListSource } from '../record.ts'
import type { ListVersion } from './record.ts'
import { fingerprintOf } from './rules.ts'

const columns = sql`version_id as "versionId", source, file_name as "fileName", file_sha256 as sha256,
  entry_count as "entryCount", loaded_by as "loadedBy", loaded_at as "loadedAt", published_at as "publishedAt"`

export async function insertVersionAcrossOrgs(
  tx: Tx,
  version: Omit<ListVersion, 'publishedAt'>,
): Promise<void> {
  await sql`
    insert into sanctions_versions (version_id, source, file_name, file_sha256, entry_count, loaded_by, loaded_at)
    values (${version.versionId}, ${version.source}, ${version.fileName}, ${version.sha256}, ${version.entryCount},
            ${version.loadedBy}, ${version.loadedAt})`.execute(tx.db)
}

export async function insertEntriesAcrossOrgs(
  tx: Tx,
  versionId: string,
  entries: readonly ListEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({ ...entry, fingerprint: fingerprintOf(entry) }))
  await sql`
    insert into sanctions_entries
      (version_id, entry_id, kind, names, birth_dates, countries, programmes, fingerprint)
    select ${versionId}, "entryId", kind, names, "birthDates", countries, programmes, fingerprint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row
      ("entryId" text, kind text, names text[], "birthDates" text[], countries text[], programmes text[],
       fingerprint text)`.execute(tx.db)
}

/** Stamped by the database, which later judges by it whether somebody was compared with the version. */
export async function publishVersionAcrossOrgs(tx: Tx, versionId: string): Promise<Date> {
  const { rows } = await sql<{ publishedAt: Date }>`
    update sanctions_versions set published_at = money_clock() where version_id = ${versionId}
    returning published_at as "publishedAt"`.execute(tx.db)
  const [published] = rows
  if (!published) throw new Error('the version is gone')
  return published.publishedAt
}

/** The newest published version of each source. */
export async function selectVersionsInForceAcrossOrgs(tx: Tx): Promise<ListVersion[]> {
  const { rows } = await sql<ListVersion>`
    select distinct on (source) ${columns} from sanctions_versions where published_at is not null
    order by source, published_at desc`.execute(tx.db)
  return rows
}

export async function selectVersionsAcrossOrgs(tx: Tx, limit: number): Promise<ListVersion[]> {
  const { rows } = await sql<ListVersion>`
    select ${columns} from sanctions_versions where published_at is not null
    order by published_at desc limit ${limit}`.execute(tx.db)
  return rows
}

/** The versions stay; only their entries go, and with them what an interrupted load has left. */
export async function deleteOldEntriesAcrossOrgs(
  tx: Tx,
  { source, keep }: { source: ListSource; keep: number },
): Promise<void> {
  await sql`
    delete from sanctions_entries where version_id in (
      select version_id from sanctions_versions where source = ${source} and published_at is not null
      order by published_at desc offset ${keep})`.execute(tx.db)
  await sql`delete from sanctions_versions where source = ${source} and published_at is null`.execute(tx.db)
}

/** A page of an index: vessels and aircraft are no payees. */
export async function selectEntriesAcrossOrgs(
  tx: Tx,
  { version, after, limit }: { version: ListVersion; after: string; limit: number },
): Promise<NamedEntry[]> {
  const { versionId, source } = version
  const { rows } = await sql<Omit<NamedEntry, 'versionId' | 'source' | 'kind'> & { kind: string }>`
    select entry_id as "entryId", kind, fingerprint, names, birth_dates as "birthDates", countries from sanctions_entries
    where version_id = ${versionId} and entry_id > ${after} and kind <> 'vessel'
    order by entry_id limit ${limit}`.execute(tx.db)
  return rows.map((row) => ({ ...row, kind: row.kind as EntryKind, versionId, source })) // check constraint
}

export async function findEntryAcrossOrgs(
  tx: Tx,
  { versionId, entryId }: { versionId: string; entryId: string },
): Promise<ListEntry | undefined> {
  const { rows } = await sql<Omit<ListEntry, 'kind'> & { kind: string }>`
    select entry_id as "entryId", kind, names, birth_dates as "birthDates", countries, programmes
    from sanctions_entries where version_id = ${versionId} and entry_id = ${entryId}`.execute(tx.db)
  const [row] = rows
  return row && { ...row, kind: row.kind as EntryKind } // check constraint
}
