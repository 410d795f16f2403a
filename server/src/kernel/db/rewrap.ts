import { sql } from 'kysely'
import type { KeyService, WrappedKey } from '../../lib/crypto/key-service.ts'
import type { Database, Tx } from './database.ts'
import { wrappingContext } from './vault.ts'

export interface StoredDataKey extends WrappedKey {
  orgId: string
  dataKeyId: string
}

type Position = Pick<StoredDataKey, 'orgId' | 'dataKeyId'>

const columns = [
  'org_id as orgId',
  'data_key_id as dataKeyId',
  'wrapped_key as wrapped',
  'wrapped_by as wrappedBy',
] as const

/** Data keys that another key has wrapped, in the order of their ids. */
export function selectOutdatedAcrossOrgs(
  tx: Tx,
  currentId: string,
  page: { after: Position | undefined; limit: number },
): Promise<StoredDataKey[]> {
  const { after } = page
  return tx.db
    .selectFrom('data_keys')
    .select(columns)
    .where('wrapped_by', '<>', currentId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(org_id, data_key_id) > (${after?.orgId}, ${after?.dataKeyId})`),
    )
    .orderBy('org_id')
    .orderBy('data_key_id')
    .limit(page.limit)
    .execute()
}

/** False if another process has wrapped it since it was read. */
export async function replaceWrappingAcrossOrgs(
  tx: Tx,
  before: StoredDataKey,
  after: WrappedKey,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('data_keys')
    .set({ wrapped_key: after.wrapped, wrapped_by: after.wrappedBy })
    .where('org_id', '=', before.orgId)
    .where('data_key_id', '=', before.dataKeyId)
    .where('wrapped_key', '=', before.wrapped)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** How many data keys each key has wrapped. */
export async function countWrappingsAcrossOrgs(
  db: Database,
): Promise<{ wrappedBy: string; count: number }[]> {
  const { rows } = await sql<{ wrappedBy: string; count: number }>`
    select wrapped_by as "wrappedBy", count(*)::integer as count from data_keys group by wrapped_by`.execute(
    db.readAcrossOrgs,
  )
  return rows
}

/** The ids of the keys whose wrappings cannot be opened, judged by the newest wrapping of each. */
export async function findUnopenableAcrossOrgs(
  db: Database,
  keys: KeyService,
): Promise<{ missing: string[]; total: number }> {
  const { rows } = await sql<StoredDataKey>`
    select distinct on (wrapped_by) org_id as "orgId", data_key_id as "dataKeyId", wrapped_key as wrapped,
      wrapped_by as "wrappedBy" from data_keys order by wrapped_by, created_at desc`.execute(
    db.readAcrossOrgs,
  )
  const missing: string[] = []
  for (const row of rows) {
    const key = await keys.unwrap(row, wrappingContext(row.orgId, row.dataKeyId))
    if (!key) missing.push(row.wrappedBy)
  }
  return { missing, total: rows.length }
}
