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
      const secret = secrets.accepted.find(({ id }) => id === wrappedBy)
      return secret && open(wrappingKey(secret.bytes), wrapped, context)
    },
  }
}
