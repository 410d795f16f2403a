import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'
import { hmac, open, seal } from '../../lib/crypto/crypto.ts'
import { unavailable } from '../../lib/errors.ts'
import { newId, uuidFromBytes, uuidToBytes } from '../../lib/ids.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'
import type { PersonKeys } from '../../lib/crypto/person-keys.ts'
import { leafBytes, leafOf } from '../../lib/crypto/puncturable-key.ts'
import { singleFlight } from '../../lib/flow/single-flight.ts'
import {
  findDataKey,
  findNewestDataKey,
  insertDataKey,
  selectPersonKeys,
  type WrappedDataKey,
} from './data-key-rows.ts'
import type { Database, Tx } from './database.ts'

/** Encrypts personal data and secrets: AES-256-GCM under a data key per organisation, bound to the row. */
export interface Vault {
  /** With a subject it is the data of a person, which stays closed for ever once the key of the subject is destroyed. */
  seal(orgId: string, context: string, value: unknown, subject?: string): Promise<Buffer>
  open(orgId: string, context: string, sealed: Buffer): Promise<unknown>
  /** Creates a data key for everything that is sealed from now on. Other processes use it within `keyLifetimeMs`. */
  rotate(orgId: string): Promise<string>
  /** Seals the value again under the newest key; undefined if it is already sealed under it, or erased. */
  reseal(
    orgId: string,
    sealed: Buffer,
    as: { context: string; isPersonal: boolean },
  ): Promise<Buffer | undefined>
  /** Whether the keys of people can be destroyed: the installation has a store for them, and it is in use. */
  canErase(): Promise<boolean>
  /** Destroys the keys of the subjects: nothing that was sealed under them can be opened again, in any copy. */
  erase(orgId: string, subjects: readonly string[]): Promise<void>
}

/** A value that stays closed however often it is tried: it, or the data key that it names, is damaged or gone. */
export class UnopenableError extends Error {}

/** The key of the person was destroyed. A restored backup may still have rows of theirs. */
export class ErasedError extends UnopenableError {}

/** How long a process seals under a key before it checks for a newer one. */
export const keyLifetimeMs = 30_000

/** Owns the rows of the installation itself, such as credentials that every organisation may use. */
export const installationOrgId = '00000000-0000-0000-0000-000000000000'

const idBytes = 16

export function createVault(db: Database, keys: KeyService, personKeys?: PersonKeys): Vault {
  const dataKeys = createDataKeys(db, keys, personKeys)
  /** The first of the leaves whose key exists is used. */
  const sealBytes = async (
    bound: { orgId: string; context: string },
    plain: Buffer,
    leaves: readonly Buffer[],
  ) => {
    const dataKey = await dataKeys.sealing(bound.orgId, leaves.length > 0)
    const keyId = uuidToBytes(dataKey.dataKeyId)
    const context = `${bound.orgId} ${bound.context}`
    if (dataKey.personKeysId === null) return Buffer.concat([keyId, seal(dataKey.key, plain, context)])
    for (const leaf of leaves) {
      const key = await withPersonKey(personKeys, dataKey, leaf)
      if (key) return Buffer.concat([keyId, leaf, seal(key, plain, context)])
    }
    throw new ErasedError('the person was erased')
  }
  const openBytes = async (orgId: string, context: string, sealed: Buffer): Promise<Buffer> => {
    const dataKey = await dataKeys.opening(orgId, keyIdOf(sealed))
    const isAlone = dataKey.personKeysId === null
    const key = isAlone ? dataKey.key : await withPersonKey(personKeys, dataKey, leafIn(sealed))
    if (!key) throw new ErasedError('the person was erased')
    const plain = open(key, sealed.subarray(isAlone ? idBytes : idBytes + leafBytes), `${orgId} ${context}`)
    if (!plain) throw new UnopenableError('a sealed value does not belong to its row')
    return plain
  }
  return {
    seal: (orgId, context, value, subject) =>
      sealBytes(
        { orgId, context },
        Buffer.from(JSON.stringify(value)),
        // What is written about a person after the erasure has a key of its own.
        subject === undefined ? [] : [leafOf(subject), leafOf(newId())],
      ),
    open: async (orgId, context, sealed) => JSON.parse((await openBytes(orgId, context, sealed)).toString()),
    rotate: (orgId) => dataKeys.rotate(orgId),
    async reseal(orgId, sealed, { context, isPersonal }) {
      const { personKeysId } = await dataKeys.opening(orgId, keyIdOf(sealed))
      const leaf = personKeysId === null ? leafOf(context) : leafIn(sealed)
      const leaves = isPersonal || personKeysId !== null ? [leaf] : []
      const { dataKeyId } = await dataKeys.sealing(orgId, leaves.length > 0)
      if (keyIdOf(sealed) === dataKeyId) return undefined
      try {
        const plain = await openBytes(orgId, context, sealed)
        return await sealBytes({ orgId, context }, plain, leaves)
      } catch (error) {
        if (error instanceof ErasedError) return undefined
        throw error
      }
    },
    canErase: async () => (await personKeys?.isAdopted()) === true,
    erase: (orgId, subjects) => destroyKeys({ db, personKeys }, orgId, subjects),
  }
}

/** Undefined if the key of the leaf was destroyed. */
async function withPersonKey(
  personKeys: PersonKeys | undefined,
  { key, personKeysId }: DataKey,
  leaf: Buffer,
): Promise<Buffer | undefined> {
  if (!personKeys || personKeysId === null) throw withoutDirectory()
  const personKey = await personKeys.find(personKeysId, leaf)
  return personKey && hmac(key, personKey)
}

const withoutDirectory = () =>
  unavailable('This process has no PERSON_KEYS_DIR, which is needed for personal data.')

const destroyKeys = (
  { db, personKeys }: { db: Database; personKeys: PersonKeys | undefined },
  orgId: string,
  subjects: readonly string[],
): Promise<void> =>
  inScope(db, orgId, async (tx) => {
    // Two that destroy at once would each write back what the other one has destroyed.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`person keys ${orgId}`}, 0))`.execute(tx.db)
    for (const keysId of await selectPersonKeys(tx, orgId)) {
      if (!personKeys) throw withoutDirectory()
      await personKeys.destroy(keysId, subjects.map(leafOf))
    }
  })

function keyIdOf(sealed: Buffer): string {
  if (sealed.length < idBytes) throw new UnopenableError('a sealed value is too short to name its data key')
  return uuidFromBytes(sealed.subarray(0, idBytes))
}

/** Behind the id of the data key, where the keys of people are needed too. */
function leafIn(sealed: Buffer): Buffer {
  if (sealed.length < idBytes + leafBytes)
    throw new UnopenableError('a sealed value is too short to name the key of its person')
  return sealed.subarray(idBytes, idBytes + leafBytes)
}

interface DataKey {
  dataKeyId: string
  key: Buffer
  /** The keys of people that are needed beside it; null if it is enough alone. */
  personKeysId: string | null
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
  sealing(orgId: string, isPersonal: boolean): DataKey | Promise<DataKey>
  opening(orgId: string, dataKeyId: string): DataKey | Promise<DataKey>
  /** Creates those that seal from now on, and returns the id of the one that is enough alone. */
  rotate(orgId: string): Promise<string>
}

/** The data keys of the organisations, unwrapped and cached in memory for a time. */
function createDataKeys(db: Database, keys: KeyService, personKeys: PersonKeys | undefined): DataKeys {
  const newest = boundedMap<string, SealingKey>(keysInMemory)
  const byId = boundedMap<string, OpeningKey>(keysInMemory)
  const onceAtATime = singleFlight<DataKey>()

  const cachedKey = (orgId: string, dataKeyId: string): DataKey | undefined => {
    const known = byId.get(dataKeyId)
    const now = Date.now()
    if (!known || now >= known.expiresAtMs) return undefined
    if (now >= known.refreshAtMs) {
      known.refreshAtMs = now + refreshRetryMs
      load(orgId, dataKeyId).catch(() => undefined)
    }
    return known
  }
  const cacheKey = (dataKey: DataKey): DataKey => {
    const now = Date.now()
    byId.set(dataKey.dataKeyId, {
      ...dataKey,
      refreshAtMs: now + refreshShare * keys.lifetimeMs,
      expiresAtMs: now + keys.lifetimeMs,
    })
    return dataKey
  }
  const unwrap = async (orgId: string, row: WrappedDataKey): Promise<DataKey> => {
    const { dataKeyId, personKeysId } = row
    const key = await keys.unwrap(row, wrappingContext(orgId, dataKeyId))
    if (!key)
      throw new UnopenableError('a data key cannot be unwrapped: it was wrapped with another SECRET_KEY')
    return cacheKey({ dataKeyId, key, personKeysId })
  }
  const sealing = (orgId: string, isPersonal: boolean): DataKey | Promise<DataKey> => {
    const of = `${isPersonal ? 'personal' : 'newest'} of ${orgId}`
    const known = newest.get(of)
    if (known && Date.now() < known.refreshAtMs) return opening(orgId, known.dataKeyId)
    return onceAtATime(of, async () => {
      const withPeople = isPersonal && (await personKeys?.isAdopted()) === true
      const row = await inScope(db, orgId, (tx) => findNewestDataKey(tx, orgId, withPeople))
      if (!row) return sealUnder(of, await createDataKey(orgId, withPeople))
      return sealUnder(of, cachedKey(orgId, row.dataKeyId) ?? (await unwrap(orgId, row)))
    })
  }
  const sealUnder = (of: string, dataKey: DataKey): DataKey => {
    newest.set(of, { dataKeyId: dataKey.dataKeyId, refreshAtMs: Date.now() + keyLifetimeMs })
    return dataKey
  }
  const createDataKey = async (orgId: string, withPeople: boolean): Promise<DataKey> =>
    cacheKey(await makeDataKey({ db, keys, personKeys: withPeople ? personKeys : undefined }, orgId))
  const load = (orgId: string, dataKeyId: string): Promise<DataKey> =>
    onceAtATime(`${orgId} ${dataKeyId}`, async () => {
      const row = await inScope(db, orgId, (tx) => findDataKey(tx, orgId, dataKeyId))
      if (!row) throw new UnopenableError('a sealed value names a data key that does not exist')
      return unwrap(orgId, row)
    })
  const opening = (orgId: string, dataKeyId: string): DataKey | Promise<DataKey> =>
    cachedKey(orgId, dataKeyId) ?? load(orgId, dataKeyId)
  return {
    sealing,
    opening,
    async rotate(orgId) {
      const alone = sealUnder(`newest of ${orgId}`, await createDataKey(orgId, false))
      const withPeople = (await personKeys?.isAdopted()) === true
      sealUnder(`personal of ${orgId}`, withPeople ? await createDataKey(orgId, true) : alone)
      return alone.dataKeyId
    },
  }
}

/** The newest key seals and older keys only open, so a rotation inserts a row. The keys of people stay the same. */
async function makeDataKey(
  { db, keys, personKeys }: { db: Database; keys: KeyService; personKeys: PersonKeys | undefined },
  orgId: string,
): Promise<DataKey> {
  const known = personKeys ? await inScope(db, orgId, (tx) => selectPersonKeys(tx, orgId)) : []
  const personKeysId = known[0] ?? (await personKeys?.create()) ?? null
  const made = { dataKeyId: newId(), key: randomBytes(32), personKeysId }
  const wrapped = await keys.wrap(made.key, wrappingContext(orgId, made.dataKeyId))
  await inScope(db, orgId, (tx) => insertDataKey(tx, orgId, { ...wrapped, ...made }))
  return made
}

const inScope = <T>(db: Database, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  orgId === installationOrgId ? db.acrossOrgs(work) : db.inOrg(orgId, work)
