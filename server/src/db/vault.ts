import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { boundedMap } from '../lib/bounded-cache.ts'
import { open, seal } from '../lib/crypto.ts'
import { newId, uuidFromBytes, uuidToBytes } from '../lib/ids.ts'
import type { KeyService, WrappedKey } from '../lib/key-service.ts'
import { singleFlight } from '../lib/single-flight.ts'
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

const idBytes = 16

export function createVault(db: Database, keys: KeyService): Vault {
  const dataKeys = createDataKeys(db, keys)
  const sealBytes = async (orgId: string, context: string, plain: Buffer): Promise<Buffer> => {
    const { dataKeyId, key } = await dataKeys.sealing(orgId)
    return Buffer.concat([uuidToBytes(dataKeyId), seal(key, plain, `${orgId} ${context}`)])
  }
  const openBytes = async (orgId: string, context: string, sealed: Buffer): Promise<Buffer> => {
    const { key } = await dataKeys.opening(orgId, keyIdOf(sealed))
    const plain = open(key, sealed.subarray(idBytes), `${orgId} ${context}`)
    if (!plain) throw new UnopenableError('a sealed value does not belong to its row')
    return plain
  }
  return {
    seal: (orgId, context, value) => sealBytes(orgId, context, Buffer.from(JSON.stringify(value))),
    open: async (orgId, context, sealed) => JSON.parse((await openBytes(orgId, context, sealed)).toString()),
    rotate: async (orgId) => (await dataKeys.rotate(orgId)).dataKeyId,
    async reseal(orgId, context, sealed) {
      const { dataKeyId } = await dataKeys.sealing(orgId)
      if (keyIdOf(sealed) === dataKeyId) return undefined
      return sealBytes(orgId, context, await openBytes(orgId, context, sealed))
    },
  }
}

function keyIdOf(sealed: Buffer): string {
  if (sealed.length < idBytes) throw new UnopenableError('a sealed value is too short to name its data key')
  return uuidFromBytes(sealed.subarray(0, idBytes))
}

interface DataKey {
  dataKeyId: string
  key: Buffer
}

interface WrappedDataKey extends WrappedKey {
  dataKeyId: string
}

const keysInMemory = 10_000

interface OpeningKey extends DataKey {
  refreshAtMs: number
  expiresAtMs: number
}

interface SealingKey {
  dataKeyId: string
  refreshAtMs: number
}

/** A key in use is unwrapped again before it expires, so that a short outage of the key service is not noticed. */
const refreshShare = 0.75
const refreshRetryMs = 10_000

export const wrappingContext = (orgId: string, dataKeyId: string): string => `${orgId} ${dataKeyId}`

interface DataKeys {
  /** The newest one, which seals. */
  sealing(orgId: string): DataKey | Promise<DataKey>
  opening(orgId: string, dataKeyId: string): DataKey | Promise<DataKey>
  /** Creates one, which seals from now on. */
  rotate(orgId: string): Promise<DataKey>
}

/** The data keys of the organisations, unwrapped and kept in memory for a time. */
function createDataKeys(db: Database, keys: KeyService): DataKeys {
  const newest = boundedMap<string, SealingKey>(keysInMemory)
  const byId = boundedMap<string, OpeningKey>(keysInMemory)
  const onceAtATime = singleFlight<DataKey>()

  const remembered = (orgId: string, dataKeyId: string): DataKey | undefined => {
    const known = byId.get(dataKeyId)
    const now = Date.now()
    if (!known || now >= known.expiresAtMs) return undefined
    if (now >= known.refreshAtMs) {
      known.refreshAtMs = now + refreshRetryMs
      load(orgId, dataKeyId).catch(() => undefined)
    }
    return known
  }
  const remember = (dataKey: DataKey): DataKey => {
    const now = Date.now()
    byId.set(dataKey.dataKeyId, {
      ...dataKey,
      refreshAtMs: now + refreshShare * keys.lifetimeMs,
      expiresAtMs: now + keys.lifetimeMs,
    })
    return dataKey
  }
  const unwrap = async (orgId: string, row: WrappedDataKey): Promise<DataKey> => {
    const { dataKeyId } = row
    const key = await keys.unwrap(row, wrappingContext(orgId, dataKeyId))
    if (!key)
      throw new UnopenableError('a data key cannot be unwrapped: it was wrapped with another SECRET_KEY')
    return remember({ dataKeyId, key })
  }
  const sealing = (orgId: string): DataKey | Promise<DataKey> => {
    const known = newest.get(orgId)
    if (known && Date.now() < known.refreshAtMs) return opening(orgId, known.dataKeyId)
    return onceAtATime(`newest of ${orgId}`, async () => {
      const row = await transactionFor(db, orgId)((tx) => findNewestDataKey(tx, orgId))
      if (!row) return sealUnder(orgId, await createDataKey(orgId))
      return sealUnder(orgId, remembered(orgId, row.dataKeyId) ?? (await unwrap(orgId, row)))
    })
  }
  const sealUnder = (orgId: string, dataKey: DataKey): DataKey => {
    newest.set(orgId, { dataKeyId: dataKey.dataKeyId, refreshAtMs: Date.now() + keyLifetimeMs })
    return dataKey
  }
  /** The newest key seals and older keys only open, so a rotation inserts a row. */
  const createDataKey = async (orgId: string): Promise<DataKey> => {
    const made = { dataKeyId: newId(), key: randomBytes(32) }
    const wrapped = await keys.wrap(made.key, wrappingContext(orgId, made.dataKeyId))
    await transactionFor(
      db,
      orgId,
    )((tx) => insertDataKey(tx, orgId, { dataKeyId: made.dataKeyId, ...wrapped }))
    return remember(made)
  }
  const load = (orgId: string, dataKeyId: string): Promise<DataKey> =>
    onceAtATime(`${orgId} ${dataKeyId}`, async () => {
      const row = await transactionFor(db, orgId)((tx) => findDataKey(tx, orgId, dataKeyId))
      if (!row) throw new UnopenableError('a sealed value names a data key that does not exist')
      return unwrap(orgId, row)
    })
  const opening = (orgId: string, dataKeyId: string): DataKey | Promise<DataKey> =>
    remembered(orgId, dataKeyId) ?? load(orgId, dataKeyId)
  return {
    sealing,
    opening,
    rotate: async (orgId) => sealUnder(orgId, await createDataKey(orgId)),
  }
}

const transactionFor =
  (db: Database, orgId: string) =>
  <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    orgId === installationOrgId ? db.acrossOrgs(work) : db.inOrg(orgId, work)

const columns = ['data_key_id as dataKeyId', 'wrapped_key as wrapped', 'wrapped_by as wrappedBy'] as const

const findNewestDataKey = (tx: Tx, orgId: string): Promise<WrappedDataKey | undefined> =>
  tx.db
    .selectFrom('data_keys')
    .select(columns)
    .where('org_id', '=', orgId)
    .orderBy('created_at', 'desc')
    .orderBy('data_key_id', 'desc')
    .limit(1)
    .executeTakeFirst()

const insertDataKey = (tx: Tx, orgId: string, key: WrappedDataKey): Promise<unknown> =>
  tx.db
    .insertInto('data_keys')
    .values({
      org_id: orgId,
      data_key_id: key.dataKeyId,
      wrapped_key: key.wrapped,
      wrapped_by: key.wrappedBy,
    })
    .execute()

const findDataKey = (tx: Tx, orgId: string, dataKeyId: string): Promise<WrappedDataKey | undefined> =>
  tx.db
    .selectFrom('data_keys')
    .select(columns)
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
