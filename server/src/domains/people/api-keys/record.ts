import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { SecretRing } from '../../../lib/crypto/secrets.ts'
import type { KeyMode } from './rules.ts'

export interface ApiKey {
  orgId: string
  apiKeyId: string
  userId: string
  name: string
  prefix: string
  scopes: string[] | null
  /** Addresses and networks. Null: it may be used from anywhere. */
  allowedIps: string[] | null
  expiresAt: Date | null
  revokedAt: Date | null
  isReplaced: boolean
  /** The key that it was made with and ends with. Null: made by a person who had signed in. */
  parentApiKeyId: string | null
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A key with what its owner may do. */
export interface AuthenticationKey {
  orgId: string
  apiKeyId: string
  userId: string
  keyHash: Buffer
  /** The pepper of the hash. */
  pepperId: string
  scopes: string[] | null
  allowedIps: string[] | null
  expiresAt: Date | null
  revokedAt: Date | null
  role: string
  grants: string[]
  revocations: string[]
  features: string[]
}

export interface KeyUse {
  orgId: string
  apiKeyId: string
  usedAt: Date
}

/** A key that was used although its hash is made with an older pepper. */
export interface OutdatedKey {
  orgId: string
  apiKeyId: string
  before: Buffer
  after: Buffer
  pepperId: string
}

export interface KeyUsage {
  /** Returns at once; what it notes is written later. */
  note(key: Pick<KeyUse, 'orgId' | 'apiKeyId'>): void
  /** Returns at once; the hash is replaced later. */
  renew(key: OutdatedKey): void
  flush(): Promise<void>
  close(): Promise<void>
}

export interface CreatedApiKey {
  apiKey: ApiKey
  /** Shown only once; the database stores its hash. */
  secret: string
}

export interface ApiKeyDeps {
  db: Database
  clock: Clock
  cursorKey: KeyRing
  peppers: SecretRing
  apiKeyMode: KeyMode
}
