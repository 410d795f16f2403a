import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { PresentedSession } from '../../lib/requests/access.ts'
import { addressGroup } from '../../lib/net/address-group.ts'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts'

interface AuthenticationLimitOptions {
  /** The failures that one address may cause. */
  perSecond: number
  burst: number
  clock: Clock
}

/** Limits failed authentication. A credential that is over a limit is refused without being checked. */
export type PresentedCredential =
  | { kind: 'api_key'; key: string }
  | { kind: 'jwt'; token: string }
  | ({ kind: 'session' } & PresentedSession)

export interface AuthenticationLimit {
  /** Undefined for headers that hold no credential; `verify` then throws. */
  guard<T extends { userId: string }>(
    address: string,
    credential: PresentedCredential | undefined,
    verify: () => Promise<T>,
  ): Promise<T>
}

type Charge = readonly [take: TokenBuckets, key: string]

/** The part of a key that lists and logs show, so that guesses of one key share it. */
const prefixLength = 12
const knownLimit = 100_000
const knownForMs = 24 * 60 * 60_000
/** Of the failures of one address, this part may concern one key. */
const prefixShare = 1 / 3
const message = 'Too many requests without a valid credential. Check the credential, wait and try again.'

export function createAuthenticationLimit(options: AuthenticationLimitOptions): AuthenticationLimit {
  const { perSecond, burst, clock } = options
  const perAddress = createTokenBuckets({ perSecond, burst, clock, message })
  const perPrefix = createTokenBuckets({
    perSecond: perSecond * prefixShare,
    burst: Math.ceil(burst * prefixShare),
    clock,
    message,
  })
  // While a key is under attack every address has one guess a minute, so that its owner is not locked out.
  const perPrefixAndAddress = createTokenBuckets({ perSecond: 1 / 60, burst: 1, clock, message })
  const known = boundedMap<string, number>(knownLimit)
  const isKnown = (identity: string): boolean =>
    clock.now().getTime() - (known.get(identity) ?? -Infinity) < knownForMs

  /** The buckets that a failure takes from. Throws when one of them is empty already. */
  function admit(group: string, credential: PresentedCredential | undefined): Charge[] {
    // Others may share the address of an attacker: those who were admitted before have a bucket of their own.
    const identity = credential && claimedIdentity(group, credential)
    if (identity !== undefined && isKnown(identity)) return notEmpty([[perAddress, identity]])
    const address: Charge = [perAddress, group]
    if (credential?.kind !== 'api_key') return notEmpty([address])
    const prefix = credential.key.slice(0, prefixLength)
    return notEmpty([
      address,
      perPrefix.hasToken(prefix) ? [perPrefix, prefix] : [perPrefixAndAddress, `${prefix} ${group}`],
    ])
  }

  return {
    async guard(address, credential, verify) {
      const group = addressGroup(address)
      const charges = admit(group, credential)
      try {
        const verified = await verify()
        if (credential) known.set(identityOf(group, credential, verified.userId), clock.now().getTime())
        return verified
      } catch (error) {
        if (error instanceof AppError && error.status === 401) for (const [take, key] of charges) take(key)
        throw error
      }
    },
  }
}

function notEmpty(charges: Charge[]): Charge[] {
  for (const [take, key] of charges) if (!take.hasToken(key)) take(key)
  return charges
}

/** A key or a session is its own identity. Tokens are short-lived, so for them it is the user at this address. */
const identityOf = (group: string, credential: PresentedCredential, userId: string): string =>
  credential.kind === 'jwt'
    ? `${group} ${userId}`
    : createHash('sha256')
        .update(credential.kind === 'api_key' ? credential.key : credential.token)
        .digest('base64')

/** Not verified yet: it only selects the bucket that a failure takes from. */
function claimedIdentity(group: string, credential: PresentedCredential): string | undefined {
  if (credential.kind !== 'jwt') return identityOf(group, credential, '')
  try {
    return identityOf(group, credential, decodeJwt(credential.token).sub ?? '')
  } catch {
    return undefined
  }
}
