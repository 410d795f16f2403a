import { createLocalService } from '../../src/kernel/keys/local-service.ts'
import type { KeyRing } from '../../src/lib/crypto/key-ring.ts'
import type { KeyService } from '../../src/lib/crypto/key-service.ts'
import { toSecret } from '../../src/lib/crypto/secrets.ts'

export const ringOf = (...keys: [Buffer, ...Buffer[]]): KeyRing => ({ current: keys[0], accepted: keys })

/** Wraps under the first of the keys and opens what any of them has wrapped. */
export const keyServiceOf = (...keys: [Buffer, ...Buffer[]]): KeyService =>
  createLocalService({ current: toSecret(keys[0]), accepted: keys.map(toSecret) })
