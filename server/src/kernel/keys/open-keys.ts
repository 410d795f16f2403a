import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { findUnopenableAcrossOrgs } from '../db/rewrap.ts'
import { UnopenableError } from '../db/vault.ts'
import type { KeyRing } from '../../lib/crypto/key-ring.ts'
import type { Log } from '../../lib/log.ts'
import { repeatEvery } from '../../lib/flow/repeat-every.ts'
import type { Secret, SecretRing } from '../../lib/crypto/secrets.ts'
import { combineServices } from './combine-services.ts'
import { createRotatingSecret } from './rotating-secret.ts'
import { createKmsService, type KmsOptions } from './kms-service.ts'
import { createLocalService } from './local-service.ts'
import { KeyFileError, readSecretFile } from './read-file.ts'
import type { Keys, SecretName } from './record.ts'
import { createStableKey } from './stable-key.ts'

export interface ListedSecret {
  listed: readonly [Secret, ...Secret[]]
  /** A file that is read again while the process runs. */
  watchedFile: string | undefined
}

interface KeyOptions {
  db: Database
  log: Log
  adoptionMs: number
  secretKey: ListedSecret
  pepper: ListedSecret
  kms: KmsOptions | undefined
  wrapsWith: 'local' | 'kms'
}

const refreshEveryMs = 2_000
/** A process starts while Postgres is down, and loads its keys when it is back. */
const patienceMs = 2_000

export async function openKeys(options: KeyOptions): Promise<Keys> {
  const { db, log } = options
  const open = (name: SecretName, { listed, watchedFile }: ListedSecret) =>
    createRotatingSecret({
      name,
      listed,
      read: watchedFile === undefined ? undefined : () => readSecretFile(name, watchedFile),
      adoptionMs: options.adoptionMs,
      db,
    })
  const secretKey = open('SECRET_KEY', options.secretKey)
  const peppers = open('API_KEY_PEPPER', options.pepper)
  const kms = options.kms && (await createKmsService(options.kms))
  const service = combineServices(createLocalService(secretKey), kms, options.wrapsWith)
  const stable = createStableKey({
    db,
    service,
    async first() {
      const { missing, total } = await findUnopenableAcrossOrgs(db, service)
      // Made from a wrong secret, it would be closed for the right one.
      if (missing.length > 0) throw new UnopenableError('SECRET_KEY is not the key of this database')
      return options.wrapsWith === 'kms' && total === 0 ? undefined : secretKey.oldest.bytes
    },
  })
  const refresh = async (): Promise<void> => {
    const parts = await Promise.allSettled([secretKey.refresh(), peppers.refresh(), stable.load()])
    const failed = parts.find((part) => part.status === 'rejected')
    if (failed) throw failed.reason
  }
  await Promise.race([refresh().catch(() => undefined), delay(patienceMs, undefined, { ref: false })])
  const watch = watchKeys(refresh, log)
  return {
    service,
    tokens: bytesOf(secretKey),
    stable: stable.ring,
    peppers,
    refresh,
    rewrapStable: () => stable.rewrap(),
    isStableOutdated: () => stable.isOutdated(),
    async close() {
      await watch.stop()
      kms?.close()
    },
  }
}

const bytesOf = (secrets: SecretRing): KeyRing => ({
  get current() {
    return secrets.current.bytes
  },
  get accepted() {
    return secrets.accepted.map(({ bytes }) => bytes)
  },
})

/** Refreshes the keys again and again; a problem is logged when it begins and not each time. */
function watchKeys(refresh: () => Promise<void>, log: Log): { stop(): Promise<void> } {
  let problem: string | undefined
  let isFirst = true
  return repeatEvery(
    refreshEveryMs,
    async () => {
      if (!isFirst) await refresh()
      isFirst = false
      if (problem !== undefined) log.info('the keys can be read again')
      problem = undefined
      return { hasMore: false }
    },
    (error) => {
      const text = error instanceof Error ? error.message : 'unknown error'
      if (text === problem) return
      if (error instanceof KeyFileError) log.error(`${text}; the keys in memory stay in use`)
      else log.error({ err: error }, 'the keys could not be refreshed')
      problem = text
    },
  )
}
