import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { opensDataKeys } from '../db/vault.ts'
import { deriveKey } from '../lib/crypto.ts'
import type { Config } from './config.ts'
import { dataKeys } from './deps.ts'
import { StartError } from './start-error.ts'

const patienceMs = 2_000

/**
 * Refuses to start with a SECRET_KEY that does not belong to the database, such as after a restore: it would be noticed
 * only when a payment needs its provider's keys. A process starts while Postgres is down, so then nothing is checked.
 */
export async function checkSecretKey(config: Pick<Config, 'SECRET_KEY'>, db: Database): Promise<void> {
  const opened = opensDataKeys(db, deriveKey(config.SECRET_KEY, dataKeys)).catch(() => true)
  if (await Promise.race([opened, delay(patienceMs, true, { ref: false })])) return
  throw new StartError([
    'SECRET_KEY is not the key that the data in this database was encrypted with. Set the one that was kept beside the backups; without it the encrypted data is lost.',
  ])
}
