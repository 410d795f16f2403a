import type { Database } from '../kernel/db/database.ts'
import { openKeys, type ListedSecret } from '../kernel/keys/open-keys.ts'
import { createPersonKeyFiles } from '../kernel/keys/person-key-files.ts'
import type { Keys, SecretName } from '../kernel/keys/record.ts'
import type { KmsOptions } from '../kernel/keys/kms-service.ts'
import { deriveRing } from '../lib/crypto/key-ring.ts'
import type { Log } from '../lib/log.ts'
import type { PersonKeys } from '../lib/crypto/person-keys.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

interface KeyDeps {
  db: Database
  log: Log
}

/** Where the keys of this process come from. */
export function createKeys(config: Config, { db, log }: KeyDeps): Promise<Keys> {
  return openKeys({
    db,
    log,
    adoptionMs: config.KEY_ADOPTION_SECONDS * 1000,
    secretKey: listedSecret(config, 'SECRET_KEY'),
    pepper: listedSecret(config, 'API_KEY_PEPPER'),
    kms: kmsOptions(config),
    wrapsWith: config.KEY_SERVICE === 'kms' ? 'kms' : 'local',
  })
}

/** Undefined where nobody can be erased. */
export const createPersonKeys = (config: Config): PersonKeys | undefined =>
  config.PERSON_KEYS_DIR === undefined
    ? undefined
    : createPersonKeyFiles(config.PERSON_KEYS_DIR, config.KEY_ADOPTION_SECONDS * 1000)

export type DerivedKeys = ReturnType<typeof deriveKeys>

/** One key for each purpose: those of tokens end with their secret, the others outlive it. */
export const deriveKeys = ({ tokens, stable }: Keys) => ({
  cursorKey: deriveRing(tokens, 'cursors'),
  loginKey: deriveRing(tokens, 'logins'),
  returnKey: deriveRing(tokens, 'return pages'),
  sessionKey: deriveRing(stable, 'sessions'),
  pageKey: deriveRing(stable, 'payment pages'),
  idempotencyKey: deriveRing(stable, 'idempotency'),
  searchKey: deriveRing(stable, 'payment search'),
  screeningKey: deriveRing(stable, 'sanctions screening'),
  accountNumberKey: deriveRing(stable, 'account numbers'),
  webhookKey: deriveRing(stable, 'provider webhooks'),
  mailKey: deriveRing(stable, 'mail budgets'),
})

function listedSecret(config: Config, name: SecretName): ListedSecret {
  const [current, ...older] = config[name]
  if (!current) throw new StartError([`${name} holds no key.`])
  return { listed: [current, ...older], watchedFile: config.KEY_FILES[name] }
}

/** The settings are complete if the key is set; config.ts has checked that. */
function kmsOptions(config: Config): KmsOptions | undefined {
  const { KMS_KEY_ID: keyId, AWS_REGION: region } = config
  if (keyId === undefined || region === undefined) return undefined
  return {
    keyId,
    region,
    endpoint: config.KMS_ENDPOINT,
    credentials: kmsCredentials(config),
    cacheMs: config.KMS_CACHE_SECONDS * 1000,
  }
}

function kmsCredentials(config: Config): KmsOptions['credentials'] {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, sessionToken: config.AWS_SESSION_TOKEN }
}
