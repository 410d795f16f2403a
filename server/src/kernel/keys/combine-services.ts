import type { KeyService } from '../../lib/crypto/key-service.ts'
import { isKmsId } from './kms-service.ts'

/** Wraps with one service and opens what either has wrapped, so that an installation can move from one to the other. */
export function combineServices(
  local: KeyService,
  kms: KeyService | undefined,
  wrapsWith: 'local' | 'kms',
): KeyService {
  const wrapping = wrapsWith === 'kms' && kms ? kms : local
  return {
    get currentId() {
      return wrapping.currentId
    },
    lifetimeMs: (kms ?? local).lifetimeMs,
    wrap: (key, context) => wrapping.wrap(key, context),
    unwrap: async (wrapped, context) => (isKmsId(wrapped.wrappedBy) ? kms : local)?.unwrap(wrapped, context),
  }
}
