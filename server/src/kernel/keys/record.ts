import type { KeyRing } from '../../lib/crypto/key-ring.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'
import type { SecretRing } from '../../lib/crypto/secrets.ts'

export type SecretName = 'SECRET_KEY' | 'API_KEY_PEPPER'

/** Every key of a process. All of them follow a rotation while it runs. */
export interface Keys {
  readonly service: KeyService
  /** From which the keys of tokens are derived. They end with the secret that signed them. */
  readonly tokens: KeyRing
  /** From which the keys of hashes and of addresses outside are derived. A rotation only wraps it again. */
  readonly stable: KeyRing
  readonly peppers: SecretRing
  /** Reads the files again and asks the database which version to use. */
  refresh(): Promise<void>
  /** Wraps the stable key under the current key, unless it is. */
  rewrapStable(): Promise<void>
  isStableOutdated(): Promise<boolean>
  close(): Promise<void>
}
