import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { DB } from '../../../../kernel/db/generated/schema.ts'
import type { StoredAuditRow } from '../record.ts'
import type { AuditBlock, SealedHeader, UnsealedEntry } from './record.ts'
import { splitHashes } from './rules.ts'

const headerColumns = [
  'org_id as orgId',
  'block_no as blockNo',
  'row_count as rowCount',
  'root',
  'previous_hash as previousHash',
  'block_hash as blockHash',
  'sealed_at as sealedAt',
] as const

type HeaderRow = Omit<SealedHeader, 'blockNo'> & { blockNo: bigint | string | number }

const toHeader = <Row extends HeaderRow>(row: Row): Row & { blockNo: number } => ({
  ...row,
  blockNo: Number(row.blockNo),
})

const toBlock = ({
  leaf_hashes: joined,
  ...row
}: HeaderRow & { leaf_hashes: Buffer; auditIds: string[] }): AuditBlock => ({
  ...toHeader(row),
  leafHashes: splitHashes(joined),
})

/** False when another process is sealing. */
export async function lockSealingAcrossOrgs(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('audit sealing', 0)) as "isLocked"`.execute(tx.db)
  return rows[0]?.isLocked ?? false
}

/** Whether an entry of the range is in no block yet. */
export async function hasUnsealedAcrossOrgs(tx: Tx, ids: { fromId: string; toId: string }): Promise<boolean> {
  const row = await tx.db
    .selectFrom('audit_unsealed')
    .select('audit_id')
    .where('audit_id', '>=', ids.fromId)
    .where('audit_id', '<', ids.toId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** By organisation and then by id. */
export async function selectUnsealedAcrossOrgs(tx: Tx, limit: number): Promise<UnsealedEntry[]> {
  const queued = await tx.db
    .selectFrom('audit_unsealed')
    .select(['org_id as orgId', 'audit_id as auditId'])
    .orderBy('org_id')
    .orderBy('audit_id')
    .limit(limit)
    .execute()
  const rows = await selectEntriesAcrossOrgs(tx.db, queued)
  return queued.map((entry) => ({ ...entry, row: rows.get(entry.auditId) }))
}

/** The rows that exist, by their ids. */
export async function selectEntriesAcrossOrgs(
  db: Kysely<DB>,
  entries: readonly { orgId: string; auditId: string }[],
): Promise<Map<string, StoredAuditRow>> {
  const { rows } = await sql<StoredAuditRow>`
    select entry.* from unnest(${entries.map(({ orgId }) => orgId)}::uuid[],
        ${entries.map(({ auditId }) => auditId)}::uuid[]) as wanted (org_id, audit_id)
      join audit_log entry on entry.org_id = wanted.org_id and entry.audit_id = wanted.audit_id`.execute(db)
  return new Map(rows.map((row) => [row.audit_id, row]))
}

/** The newest block of each organisation; of all of them without a list. */
export async function selectHeadsAcrossOrgs(
  db: Kysely<DB>,
  orgIds?: readonly string[],
): Promise<SealedHeader[]> {
  const rows = await db
    .selectFrom('audit_blocks')
    .select(headerColumns)
    .distinctOn('org_id')
    .$if(orgIds !== undefined, (query) =>
      query.where('org_id', '=', sql<string>`any (${[...(orgIds ?? [])]}::uuid[])`),
    )
    .orderBy('org_id')
    .orderBy('block_no', 'desc')
    .execute()
  return rows.map(toHeader)
}

export async function insertBlocksAcrossOrgs(tx: Tx, blocks: readonly AuditBlock[]): Promise<void> {
  await tx.db
    .insertInto('audit_blocks')
    .values(
      blocks.map((block) => ({
        org_id: block.orgId,
        block_no: BigInt(block.blockNo),
        row_count: block.rowCount,
        root: block.root,
        previous_hash: block.previousHash,
        block_hash: block.blockHash,
        sealed_at: block.sealedAt,
        first_id: block.auditIds[0] ?? '',
        last_id: block.auditIds.at(-1) ?? '',
        audit_ids: block.auditIds,
        leaf_hashes: Buffer.concat(block.leafHashes),
      })),
    )
    .execute()
}

export async function deleteUnsealedAcrossOrgs(
  tx: Tx,
  entries: readonly { orgId: string; auditId: string }[],
): Promise<void> {
  await sql`delete from audit_unsealed using unnest(${entries.map(({ orgId }) => orgId)}::uuid[],
      ${entries.map(({ auditId }) => auditId)}::uuid[]) as sealed (org_id, audit_id)
    where audit_unsealed.org_id = sealed.org_id and audit_unsealed.audit_id = sealed.audit_id`.execute(tx.db)
}

/** In the order of the organisations and their blocks, after the given one. */
export async function selectBlocksAcrossOrgs(
  db: Kysely<DB>,
  after: { orgId: string; blockNo: number } | undefined,
  limit: number,
): Promise<AuditBlock[]> {
  const rows = await db
    .selectFrom('audit_blocks')
    .select([...headerColumns, 'audit_ids as auditIds', 'leaf_hashes'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(org_id, block_no) > (${after?.orgId}::uuid, ${after?.blockNo}::bigint)`),
    )
    .orderBy('org_id')
    .orderBy('block_no')
    .limit(limit)
    .execute()
  return rows.map(toBlock)
}

/** How many entries there are, how many blocks hold, and how many wait; in one statement, so that they fit together. */
export async function countEntriesAcrossOrgs(
  db: Kysely<DB>,
): Promise<{ total: number; sealed: number; waiting: number; oldestWaitingSeconds: number }> {
  const { rows } = await sql<Record<'total' | 'sealed' | 'waiting' | 'oldest', string>>`
    select (select count(*) from audit_log)::text as total,
      (select coalesce(sum(row_count), 0) from audit_blocks)::text as sealed,
      (select count(*) from audit_unsealed)::text as waiting,
      (select coalesce(extract(epoch from now() - min(queued_at)), 0) from audit_unsealed)::text as oldest`.execute(
    db,
  )
  const [row] = rows
  return {
    total: Number(row?.total),
    sealed: Number(row?.sealed),
    waiting: Number(row?.waiting),
    oldestWaitingSeconds: Number(row?.oldest),
  }
}

/** Entries that neither a block nor the queue has: they were written past the trigger, or removed from the queue. */
export async function selectStrayEntriesAcrossOrgs(
  db: Kysely<DB>,
  limit: number,
): Promise<{ orgId: string; auditId: string }[]> {
  const { rows } = await sql<{ orgId: string; auditId: string }>`
    select org_id as "orgId", audit_id as "auditId" from audit_log entry
    where not exists (select from audit_unsealed queued
        where queued.org_id = entry.org_id and queued.audit_id = entry.audit_id)
      and not exists (select from audit_blocks block
        where block.org_id = entry.org_id and block.last_id >= entry.audit_id and block.first_id <= entry.audit_id
          and entry.audit_id = any (block.audit_ids))
    order by org_id, audit_id limit ${limit}`.execute(db)
  return rows
}

export async function findBlockOfEntry(
  tx: Tx,
  orgId: string,
  auditId: string,
): Promise<AuditBlock | undefined> {
  const row = await tx.db
    .selectFrom('audit_blocks')
    .select([...headerColumns, 'audit_ids as auditIds', 'leaf_hashes'])
    .where('org_id', '=', orgId)
    .where('last_id', '>=', auditId)
    .where('first_id', '<=', auditId)
    .where(sql<boolean>`${auditId}::uuid = any (audit_ids)`)
    .orderBy('last_id')
    .limit(1)
    .executeTakeFirst()
  return row && toBlock(row)
}

export async function findEntry(tx: Tx, orgId: string, auditId: string): Promise<StoredAuditRow | undefined> {
  return tx.db
    .selectFrom('audit_log')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('audit_id', '=', auditId)
    .executeTakeFirst()
}

export async function selectHeaders(
  tx: Tx,
  orgId: string,
  range: { after: number; to: number | undefined; limit: number },
): Promise<SealedHeader[]> {
  const rows = await tx.db
    .selectFrom('audit_blocks')
    .select(headerColumns)
    .where('org_id', '=', orgId)
    .where('block_no', '>', BigInt(range.after))
    .$if(range.to !== undefined, (query) => query.where('block_no', '<=', BigInt(range.to ?? 0)))
    .orderBy('block_no')
    .limit(range.limit)
    .execute()
  return rows.map(toHeader)
}

export async function findHead(tx: Tx, orgId: string): Promise<SealedHeader | undefined> {
  const row = await tx.db
    .selectFrom('audit_blocks')
    .select(headerColumns)
    .where('org_id', '=', orgId)
    .orderBy('block_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toHeader(row)
}
