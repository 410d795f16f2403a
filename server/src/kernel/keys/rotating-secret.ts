import type { Database } from '../db/database.ts'
import type { Secret, SecretRing } from '../../lib/crypto/secrets.ts'
import type { SecretName } from './record.ts'
import { recordVersionAcrossOrgs } from './store.ts'

interface RotatingSecret extends SecretRing {
  /** The oldest that the settings list. */
  readonly oldest: Secret
  refresh(): Promise<void>
}

interface RotatingSecretOptions {
  name: SecretName
  /** As the settings list them, the one to use first. */
  listed: readonly [Secret, ...Secret[]]
  /** Lists them again, if they are in a file that may change. */
  read: (() => Promise<readonly Secret[]>) | undefined
  /** How long a version is only accepted before it is used. */
  adoptionMs: number
  db: Database
}

/**
 * The versions of a secret. A new one is accepted at once and used when every process has had time to read it. One
 * that is no longer listed is accepted until the process ends, so that a wrong file makes nothing unreadable.
 */
export function createRotatingSecret(options: RotatingSecretOptions): RotatingSecret {
  let listed: readonly Secret[] = options.listed
  const known = new Map(listed.map((secret) => [secret.id, secret]))
  let [current] = options.listed
  let settledId: string | undefined

  const list = (found: readonly Secret[]): void => {
    if (found.length === 0) return
    listed = found
    for (const secret of found) known.set(secret.id, secret)
  }
  const adopt = async (): Promise<void> => {
    const [wanted = current] = listed
    if (settledId === wanted.id) return
    const version = { secret: options.name, keyId: wanted.id }
    const versions = await recordVersionAcrossOrgs(options.db, version, options.adoptionMs)
    const adopted = versions.filter(({ isAdopted }) => isAdopted).map(({ keyId }) => keyId)
    if (adopted.includes(wanted.id)) {
      current = wanted
      settledId = wanted.id
      return
    }
    const newestKnown = adopted.findLast((keyId) => known.has(keyId))
    current = (newestKnown !== undefined && known.get(newestKnown)) || wanted
  }
  return {
    get current() {
      return current
    },
    get accepted() {
      return [current, ...[...known.values()].filter(({ id }) => id !== current.id)]
    },
    get oldest() {
      return listed.at(-1) ?? current
    },
    async refresh() {
      if (options.read) list(await options.read())
      await adopt()
    },
  }
}
