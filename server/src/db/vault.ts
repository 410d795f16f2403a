import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { open, seal } from '../lib/crypto.ts'
import { newId, uuidFromBytes, uuidToBytes } from '../lib/ids.ts'
import { boundedMap } from '../lib/bounded-cache.ts'
import type { Database, Tx } from './database.ts'

/** Encrypts personal data and secrets: AES-256-GCM under a data key per organisation, bound to the row. */
export interface Vault {
  seal(orgId: string, context: string, value: unknown): Promise<Buffer>
  open(orgId: string, context: string, sealed: Buffer): Promise<unknown>
  /** Creates a data key for everything that is sealed from now on. Other processes use it within `keyLifetimeMs`. */
  rotate(orgId: string): Promise<string>
  /** Seals the value again under the newest key; undefined if it is already sealed under it. */
  reseal(orgId: string, context: string, sealed: Buffer): Promise<Buffer | undefined>
}

/** A value that stays closed however often it is tried: it, or the data key that it names, is damaged or gone. */
export class UnopenableError extends Error {}

/** How long a process seals under a key before it checks for a newer one. */
export const keyLifetimeMs = 30_000

/** Owns the rows of the installation itself, such as credentials that every organisation may use. */
export const installationOrgId = '00000000-0000-0000-0000-000000000000'

interface DataKey {
  dataKeyId: string
  key: Buffer
}

const keysInMemory = 10_000

interface SealingKey extends DataKey {
  refreshAtMs: number
}

const idBytes = 16

export function createVault(db: Database, wrappingKey: Buffer): Vault {
  const newest = boundedMap<string, SealingKey>(keysInMemory)
  const byId = boundedMap<string, DataKey>(keysInMemory)

  const remember = (orgId: string, dataKeyId: string, wrapped: Buffer): DataKey => {
    const key = open(wrappingKey, wrapped, `${orgId} ${dataKeyId}`)
    if (!key)
      throw new UnopenableError('a data key cannot be unwrapped: it was wrapped with another SECRET_KEY')
    const dataKey = { dataKeyId, key }
    byId.set(dataKeyId, dataKey)
    return dataKey
  }
  const sealingKey = async (orgId: string): Promise<DataKey> => {
    const known = newest.get(orgId)
    if (known && Date.now() < known.refreshAtMs) return known
    const row = await transactionFor(db, orgId)((tx) => findOrCreateDataKey(tx, orgId, wrappingKey))
    return sealUnder(orgId, row)
  }
  const sealUnder = (orgId: string, row: { data_key_id: string; wrapped_key: Buffer }): DataKey => {
    const dataKey = remember(orgId, row.data_key_id, row.wrapped_key)
    newest.set(orgId, { ...dataKey, refreshAtMs: Date.now() + keyLifetimeMs })
    return dataKey
  }
  const openingKey = async (orgId: string, dataKeyId: string): Promise<DataKey> => {
    const known = byId.get(dataKeyId)
    if (known) return known
    const row = await transactionFor(db, orgId)((tx) => findDataKey(tx, orgId, dataKeyId))
    if (!row) throw new UnopenableError('a sealed value names a data key that does not exist')
    return remember(orgId, row.data_key_id, row.wrapped_key)
  }
  const sealBytes = async (orgId: string, context: string, plain: Buffer): Promise<Buffer> => {
    const { dataKeyId, key } = await sealingKey(orgId)
    return Buffer.concat([uuidToBytes(dataKeyId), seal(key, plain, `${orgId} ${context}`)])
  }
  const openBytes = async (orgId: string, context: string, sealed: Buffer): Promise<Buffer> => {
    const { key } = await openingKey(orgId, keyIdOf(sealed))
    const plain = open(key, sealed.subarray(idBytes), `${orgId} ${context}`)
    if (!plain) throw new UnopenableError('a sealed value does not belong to its row')
    return plain
  }
  return {
    seal: (orgId, context, value) => sealBytes(orgId, context, Buffer.from(JSON.stringify(value))),
    open: async (orgId, context, sealed) => JSON.parse((await openBytes(orgId, context, sealed)).toString()),
    async rotate(orgId) {
      const row = await transactionFor(db, orgId)((tx) => insertDataKey(tx, orgId, wrappingKey))
      return sealUnder(orgId, row).dataKeyId
    },
    async reseal(orgId, context, sealed) {
      const { dataKeyId } = await sealingKey(orgId)
      if (keyIdOf(sealed) === dataKeyId) return undefined
      return sealBytes(orgId, context, await openBytes(orgId, context, sealed))
    },
  }
}

/** Whether the key opens what the database holds, judged by the newest data key; true while there is none. */
export async function opensDataKeys(db: Database, wrappingKey: Buffer): Promise<boolean> {
  const row = await db.acrossOrgs((tx) =>
    tx.db
      .selectFrom('data_keys')
      .select(['org_id', 'data_key_id', 'wrapped_key'])
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  return (
    row === undefined || open(wrappingKey, row.wrapped_key, `${row.org_id} ${row.data_key_id}`) !== undefined
  )
}

function keyIdOf(sealed: Buffer): string {
  if (sealed.length < idBytes) throw new UnopenableError('a sealed value is too short to name its data key')
  return uuidFromBytes(sealed.subarray(0, idBytes))
}

const transactionFor =
  (db: Database, orgId: string) =>
  <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    orgId === installationOrgId ? db.acrossOrgs(work) : db.inOrg(orgId, work)

/** The newest key seals and older keys only open, so a rotation inserts a row. */
async function findOrCreateDataKey(tx: Tx, orgId: string, wrappingKey: Buffer) {
  const newest = () =>
    tx.db
      .selectFrom('data_keys')
      .select(['data_key_id', 'wrapped_key'])
      .where('org_id', '=', orgId)
      .orderBy('created_at', 'desc')
      .orderBy('data_key_id', 'desc')
      .limit(1)
      .executeTakeFirst()
  return (await newest()) ?? insertDataKey(tx, orgId, wrappingKey)
}

function insertDataKey(tx: Tx, orgId: string, wrappingKey: Buffer) {
  const dataKeyId = newId()
  const wrapped = seal(wrappingKey, randomBytes(32), `${orgId} ${dataKeyId}`)
  return tx.db
    .insertInto('data_keys')
    .values({ org_id: orgId, data_key_id: dataKeyId, wrapped_key: wrapped })
    .returning(['data_key_id', 'wrapped_key'])
    .executeTakeFirstOrThrow()
}

const findDataKey = (tx: Tx, orgId: string, dataKeyId: string) =>
  tx.db
    .selectFrom('data_keys')
    .select(['data_key_id', 'wrapped_key'])
    .where('org_id', '=', orgId)
    .where('data_key_id', '=', dataKeyId)
    .executeTakeFirst()

/** Organisations with more than one data key, whose sealed values may still be under an older one. */
export async function selectRotatedOrgsAcrossOrgs(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<{ orgId: string }[]> {
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from data_keys
    ${after === undefined ? sql`` : sql`where org_id > ${after}`}
    group by org_id having count(*) > 1 order by org_id limit ${limit}`.execute(tx.db)
  return rows
}
