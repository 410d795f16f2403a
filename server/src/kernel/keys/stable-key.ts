import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { UnopenableError } from '../db/vault.ts'
import { unavailable } from '../../lib/errors.ts'
import type { KeyRing } from '../../lib/crypto/key-ring.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'
import {
  findInstallationKeyAcrossOrgs,
  insertInstallationKeyAcrossOrgs,
  replaceInstallationKeyAcrossOrgs,
} from './store.ts'

interface StableKey {
  /** Throws an AppError 503 until the key has been read from the database. */
  readonly ring: KeyRing
  load(): Promise<void>
  rewrap(): Promise<void>
  isOutdated(): Promise<boolean>
}

interface StableOptions {
  db: Database
  service: KeyService
  /** What the key of a new installation is; undefined: random. Cells that share their secret share this key. */
  first: () => Promise<Buffer | undefined>
}

const name = 'stable'
const context = 'installation key stable'

/**
 * The key behind everything that could not be signed or hashed again: blind indexes, idempotency, sessions, and the
 * addresses that providers send webhooks to. It is stored wrapped, so a rotation changes only its wrapping.
 */
export function createStableKey({ db, service, first }: StableOptions): StableKey {
  let key: Buffer | undefined
  const loaded = (): Buffer => {
    if (key) return key
    throw unavailable('The keys of this installation are not loaded yet. Try again in a moment.')
  }
  const find = () => db.acrossOrgs((tx) => findInstallationKeyAcrossOrgs(tx, name))
  const findOrCreate = async () => {
    const known = await find()
    if (known) return known
    const made = await service.wrap((await first()) ?? randomBytes(32), context)
    await db.acrossOrgs((tx) => insertInstallationKeyAcrossOrgs(tx, name, made))
    return (await find()) ?? made
  }
  return {
    ring: {
      get current() {
        return loaded()
      },
      get accepted() {
        return [loaded()]
      },
    },
    async load() {
      if (key) return
      key = await service.unwrap(await findOrCreate(), context)
      if (!key) throw new UnopenableError('the key of the installation was wrapped with another SECRET_KEY')
    },
    async rewrap() {
      const before = await find()
      if (!before || before.wrappedBy === service.currentId) return
      const plain = await service.unwrap(before, context)
      if (!plain) throw new UnopenableError('the key of the installation was wrapped with another SECRET_KEY')
      const after = await service.wrap(plain, context)
      await db.acrossOrgs((tx) => replaceInstallationKeyAcrossOrgs(tx, name, { before, after }))
    },
    async isOutdated() {
      const stored = await find()
      return stored !== undefined && stored.wrappedBy !== service.currentId
    },
  }
}
