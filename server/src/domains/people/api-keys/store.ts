import { sql, type CompiledQuery } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import { statements, type Database, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Permission } from '../../../lib/requests/access.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { ApiKey, AuthenticationKey, KeyUse, OutdatedKey } from './record.ts'

const columns = [
  'org_id as orgId',
  'api_key_id as apiKeyId',
  'user_id as userId',
  'name',
  'prefix',
  'scopes',
  'allowed_ips as allowedIps',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'is_replaced as isReplaced',
  'parent_api_key_id as parentApiKeyId',
  'last_used_at as lastUsedAt',
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
    pepperId: string
    scopes: readonly Permission[] | null
    allowedIps: readonly string[] | null
    expiresAt: Date | null
    parentApiKeyId: string | null
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
      pepper_id: key.pepperId,
      scopes: key.scopes && [...key.scopes],
      allowed_ips: key.allowedIps && [...key.allowedIps],
      expires_at: key.expiresAt,
      parent_api_key_id: key.parentApiKeyId,
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

export const findApiKey = (tx: Tx, orgId: string, apiKeyId: string): Promise<ApiKey | undefined> =>
  tx.db
    .selectFrom('api_keys')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('api_key_id', '=', apiKeyId)
    .executeTakeFirst()

/** The key itself, or one that it was made with. */
export async function isKeySuspended(tx: Tx, orgId: string, apiKeyId: string): Promise<boolean> {
  const { rows } = await sql<{ isSuspended: boolean }>`
    select is_credential_suspended(${orgId}, null, ${apiKeyId}) as "isSuspended"`.execute(tx.db)
  return rows[0]?.isSuspended ?? false
}

/** Serialises what is made and revoked of one member, so that neither the bound nor a revocation misses a new key. */
export async function lockKeysOf(tx: Tx, orgId: string, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${orgId} ${userId}`}, 0))`.execute(
    tx.db,
  )
}

export async function countWorkingKeys(tx: Tx, orgId: string, userId: string, now: Date): Promise<number> {
  const row = await tx.db
    .selectFrom('api_keys')
    .select((query) => query.fn.countAll<bigint>().as('total'))
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** The keys that were made with a key, and those that were made with these. */
export async function revokeDescendants(
  tx: Tx,
  orgId: string,
  { apiKeyId, revokedAt }: { apiKeyId: string; revokedAt: Date },
): Promise<ApiKey[]> {
  return tx.db
    .withRecursive('descendants', (query) =>
      query
        .selectFrom('api_keys')
        .select('api_key_id')
        .where('org_id', '=', orgId)
        .where('parent_api_key_id', '=', apiKeyId)
        .union(
          query
            .selectFrom('api_keys as child')
            .innerJoin('descendants', 'descendants.api_key_id', 'child.parent_api_key_id')
            .select('child.api_key_id')
            .where('child.org_id', '=', orgId),
        ),
    )
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('revoked_at', 'is', null)
    .where('api_key_id', 'in', (query) => query.selectFrom('descendants').select('api_key_id'))
    .returning(columns)
    .execute()
}

/** The keys that were made with a key belong to the key that replaces it. */
export async function moveChildren(
  tx: Tx,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.db
    .updateTable('api_keys')
    .set({ parent_api_key_id: to })
    .where('org_id', '=', orgId)
    .where('parent_api_key_id', '=', from)
    .where('api_key_id', '<>', to)
    .execute()
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

/** One statement for all keys that were used; at most one write a minute for each, whichever process saw it. */
export const touchKeysAcrossOrgs = (uses: readonly KeyUse[], everyMs: number): CompiledQuery =>
  sql`update api_keys set last_used_at = used.used_at
    from unnest(${uses.map(({ orgId }) => orgId)}::uuid[], ${uses.map(({ apiKeyId }) => apiKeyId)}::uuid[],
      ${uses.map(({ usedAt }) => usedAt)}::timestamptz[]) as used (org_id, api_key_id, used_at)
    where api_keys.org_id = used.org_id and api_keys.api_key_id = used.api_key_id
      and (last_used_at is null or last_used_at <= used.used_at - make_interval(secs => ${everyMs / 1000}))`.compile(
    statements,
  )

/** Hashes the keys with the current pepper. One whose hash was replaced meanwhile is left alone. */
export const renewHashesAcrossOrgs = (keys: readonly OutdatedKey[]): CompiledQuery =>
  sql`update api_keys set key_hash = renewed.after, pepper_id = renewed.pepper_id
    from unnest(${keys.map(({ orgId }) => orgId)}::uuid[], ${keys.map(({ apiKeyId }) => apiKeyId)}::uuid[],
      ${keys.map(({ before }) => before)}::bytea[], ${keys.map(({ after }) => after)}::bytea[],
      ${keys.map(({ pepperId }) => pepperId)}::text[]) as renewed (org_id, api_key_id, before, after, pepper_id)
    where api_keys.org_id = renewed.org_id and api_keys.api_key_id = renewed.api_key_id
      and api_keys.key_hash = renewed.before`.compile(statements)

/** Keys that work and whose hash needs an older pepper. */
export async function countOutdatedHashesAcrossOrgs(db: Database, currentId: string): Promise<number> {
  const row = await db.readAcrossOrgs
    .selectFrom('api_keys')
    .select((query) => query.fn.countAll<bigint>().as('total'))
    .where('pepper_id', '<>', currentId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

const selectKeysByHash = compileOnce<{ keyHashes: Buffer[] }>(({ keyHashes }) =>
  statements
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
      'api_keys.pepper_id as pepperId',
      'api_keys.scopes',
      'api_keys.allowed_ips as allowedIps',
      'api_keys.expires_at as expiresAt',
      'api_keys.revoked_at as revokedAt',
      'members.role',
      'members.grants',
      'members.revocations',
      'organizations.features',
    ])
    .where('api_keys.key_hash', '=', sql<Buffer>`any(${keyHashes}::bytea[])`)
    .where(sql<boolean>`not is_credential_suspended(api_keys.org_id, api_keys.user_id, api_keys.api_key_id)`)
    .compile(),
)

/** Runs for every request, so the keys, their owners' memberships and the organisations' features are one statement. */
export async function findKeysForAuthenticationAcrossOrgs(
  db: Database,
  keyHashes: Buffer[],
): Promise<AuthenticationKey[]> {
  const [rows] = await db.batchAcrossOrgs([selectKeysByHash({ keyHashes })])
  return (rows ?? []) as unknown as AuthenticationKey[] // the columns of the statement
}
