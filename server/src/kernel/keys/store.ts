import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import type { WrappedKey } from '../../lib/crypto/key-service.ts'
import type { SecretName } from './record.ts'

interface KeyVersion {
  keyId: string
  isAdopted: boolean
}

/** Notes that a process has this version as its current one, and returns all versions, oldest first. */
export const recordVersionAcrossOrgs = (
  db: Database,
  version: { secret: SecretName; keyId: string },
  adoptionMs: number,
): Promise<KeyVersion[]> =>
  db.acrossOrgs(async (tx) => {
    await tx.db
      .insertInto('key_versions')
      .values({ secret: version.secret, key_id: version.keyId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { rows } = await sql<KeyVersion>`
      select key_id as "keyId",
        first_seen_at <= now() - make_interval(secs => ${adoptionMs / 1000})
          or first_seen_at = min(first_seen_at) over () as "isAdopted"
      from key_versions where secret = ${version.secret} order by first_seen_at, key_id`.execute(tx.db)
    return rows
  })

export const findInstallationKeyAcrossOrgs = (tx: Tx, name: string): Promise<WrappedKey | undefined> =>
  tx.db
    .selectFrom('installation_keys')
    .select(['wrapped_key as wrapped', 'wrapped_by as wrappedBy'])
    .where('name', '=', name)
    .executeTakeFirst()

/** Does nothing if another process was first. */
export async function insertInstallationKeyAcrossOrgs(
  tx: Tx,
  name: string,
  { wrapped, wrappedBy }: WrappedKey,
): Promise<void> {
  await tx.db
    .insertInto('installation_keys')
    .values({ name, wrapped_key: wrapped, wrapped_by: wrappedBy })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Does nothing if it was wrapped again since it was read. */
export async function replaceInstallationKeyAcrossOrgs(
  tx: Tx,
  name: string,
  change: { before: WrappedKey; after: WrappedKey },
): Promise<void> {
  await tx.db
    .updateTable('installation_keys')
    .set({ wrapped_key: change.after.wrapped, wrapped_by: change.after.wrappedBy })
    .where('name', '=', name)
    .where('wrapped_key', '=', change.before.wrapped)
    .execute()
}
