import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../kernel/db/database.ts'
import { findUnopenableAcrossOrgs } from '../kernel/db/rewrap.ts'
import type { KeyService } from '../lib/crypto/key-service.ts'
import { StartError } from './start-error.ts'

const patienceMs = 2_000

/**
 * Refuses to start with a SECRET_KEY that does not belong to the database, such as after a restore: it would be noticed
 * only when a payment needs its provider's keys. A process starts while Postgres is down, so then nothing is checked.
 */
export async function checkSecretKey(deps: { db: Database; keys: { service: KeyService } }): Promise<void> {
  const judged = findUnopenableAcrossOrgs(deps.db, deps.keys.service).catch(() => undefined)
  const found = await Promise.race([judged, delay(patienceMs, undefined, { ref: false })])
  if (!found || found.missing.length === 0) return
  throw new StartError([
    found.missing.length < found.total
      ? `SECRET_KEY lacks the key ${found.missing.join(' and ')}, which data is still encrypted under. Add it behind the others until \`npm run doctor\` says that it is no longer needed.`
      : 'SECRET_KEY is not the key that the data in this database was encrypted with. Set the one that was kept beside the backups; without it the encrypted data is lost.',
  ])
}
