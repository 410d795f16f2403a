import { addressGroup } from '../../lib/net/address-group.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { PresentedSession } from '../../lib/requests/access.ts'
import { createTokenBuckets } from './token-buckets.ts'

interface AuthenticationLimitOptions {
  /** The failures that one address may cause. */
  perSecond: number
  burst: number
  clock: Clock
}

export type PresentedCredential =
  | { kind: 'api_key'; key: string }
  | { kind: 'jwt'; token: string }
  | ({ kind: 'session' } & PresentedSession)

/**
 * Verifies a credential and limits the failures of each address. A credential is always looked up first: whoever
 * shares the address of an attacker, or of a client with an old key, is not refused for the failures of others.
 */
export type AuthenticationLimit = <T>(address: string, verify: () => Promise<T>) => Promise<T>

const message = 'Too many requests without a valid credential. Check the credential, wait and try again.'

export function createAuthenticationLimit(options: AuthenticationLimitOptions): AuthenticationLimit {
  const takeOfAddress = createTokenBuckets({ ...options, message })
  return async (address, verify) => {
    try {
      return await verify()
    } catch (error) {
      if (error instanceof AppError && error.status === 401) takeOfAddress(addressGroup(address))
      throw error
    }
  }
}
