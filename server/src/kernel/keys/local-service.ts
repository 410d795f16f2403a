import { open, seal } from '../../lib/crypto/crypto.ts'
import { createDerivation } from '../../lib/crypto/key-ring.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'
import type { SecretRing } from '../../lib/crypto/secrets.ts'

/** Wraps under keys that are derived from SECRET_KEY, whether it comes from the environment or from a file. */
export function createLocalService(secrets: SecretRing): KeyService {
  const wrappingKey = createDerivation('data keys')
  return {
    get currentId() {
      return secrets.current.id
    },
    lifetimeMs: Number.POSITIVE_INFINITY,
    async wrap(key, context) {
      const { id, bytes } = secrets.current
      return { wrapped: seal(wrappingKey(bytes), key, context), wrappedBy: id }
    },
    async unwrap({ wrapped, wrappedBy }, context) {
      for (const { id, bytes } of secrets.accepted) {
        const plain =
          wrappedBy === null || wrappedBy === id ? open(wrappingKey(bytes), wrapped, context) : undefined
        if (plain) return plain
      }
      return undefined
    },
  }
}
