import { sql, type Kysely } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { DB } from '../../db/generated/schema.ts'
import { beforePosition } from '../../db/keyset.ts'
import type { Permission } from '../../lib/access.ts'
import type { Position } from '../../lib/cursor.ts'
import type { ApiKey } from './record.ts'

const columns = [
  'org_id as orgId',
  'api_key_id as apiKeyId',
  'user_id as userId',
  'name',
  'prefix',
  'scopes',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'is_replaced as isReplaced',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export const insertApiKey = (
  tx: Tx,
  orgId: string,
  key: {
    apiKeyId: string
    userId: string
    name: string
    prefix: string
    keyHash: Buffer
    scopes: readonly Permission[] | null
    expiresAt: Date | null
  },
): Promise<ApiKey> =>
  tx.db
    .insertInto('api_keys')
    .values({
      org_id: orgId,
      api_key_id: key.apiKeyId,
      user_id: key.userId,
      name: key.name,
      prefix: key.prefix,
      key_hash: key.keyHash,
      scopes: key.scopes && [...key.scopes],
      expires_at: key.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const lockApiKey = (tx: Tx, orgId: string, apiKeyId: string): Promise<ApiKey | undefined> =>
  tx.db
    .selectFrom('api_keys')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('api_key_id', '=', apiKeyId)
    .forUpdate()
    .executeTakeFirst()

export async function findScopes(tx: Tx, orgId: string, apiKeyId: string): Promise<string[] | null> {
  const row = await tx.db
    .selectFrom('api_keys')
    .select('scopes')
    .where('org_id', '=', orgId)
    .where('api_key_id', '=', apiKeyId)
    .executeTakeFirstOrThrow()
  return row.scopes
}

export const updateApiKey = (
  tx: Tx,
  orgId: string,
  change: { apiKeyId: string; revokedAt?: Date; expiresAt?: Date; isReplaced?: boolean },
): Promise<ApiKey> =>
  tx.db
    .updateTable('api_keys')
    .set({
      ...(change.revokedAt && { revoked_at: change.revokedAt }),
      ...(change.expiresAt && { expires_at: change.expiresAt }),
      ...(change.isReplaced !== undefined && { is_replaced: change.isReplaced }),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('api_key_id', '=', change.apiKeyId)
    .returning(columns)
    .executeTakeFirstOrThrow()

export function selectApiKeys(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<ApiKey[]> {
  let query = tx.db.selectFrom('api_keys').select(columns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('created_at', 'api_key_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('api_key_id', 'desc').limit(page.limit).execute()
}

export async function countApiKeys(tx: Tx, orgId: string): Promise<number> {
  const row = await tx.db
    .selectFrom('api_keys')
    .select((query) => query.fn.countAll<bigint>().as('total'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** Runs on every request, so the key, its owner's membership and the organisation's features are one statement. */
export const findKeyForAuthenticationAcrossOrgs = (db: Kysely<DB>, keyHash: Buffer) =>
  db
    .selectFrom('api_keys')
    .innerJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'api_keys.org_id').onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .innerJoin('organizations', 'organizations.org_id', 'api_keys.org_id')
    .select([
      'api_keys.org_id as orgId',
      'api_keys.api_key_id as apiKeyId',
      'api_keys.user_id as userId',
      'api_keys.key_hash as keyHash',
      'api_keys.scopes',
      'api_keys.expires_at as expiresAt',
      'api_keys.revoked_at as revokedAt',
      'members.role',
      'members.grants',
      'members.revocations',
      'organizations.features',
    ])
    .where('api_keys.key_hash', '=', keyHash)
    .executeTakeFirst()
