import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../../kernel/db/database.ts'
import {
  effectivePermissions,
  toFeatures,
  toMembership,
  toPermissions,
} from '../../../lib/requests/access.ts'
import type { Caller, Origin } from '../../../lib/requests/access.ts'
import { batchCalls } from '../../../lib/flow/batch-calls.ts'
import type { Clock } from '../../../lib/clock.ts'
import { equalInConstantTime } from '../../../lib/crypto/crypto.ts'
import { unauthorized } from '../../../lib/errors.ts'
import { addressNotAllowed } from './errors.ts'
import type { SecretRing } from '../../../lib/crypto/secrets.ts'
import type { AuthenticationKey, KeyUsage } from './record.ts'
import { isWellFormedKey, keyHash, mayBeUsedFrom } from './rules.ts'
import { findKeysForAuthenticationAcrossOrgs } from './store.ts'

const invalid = 'The API key is unknown, revoked, expired or suspended. Create a new one in the settings.'
const noKey = Buffer.alloc(32)

const keysPerLookup = 100
/** A few, so that one lookup that hangs does not stop all requests. */
const lookupsLimit = 4
const anyKey = 'keys'

type KeyLookup = (hash: Buffer) => Promise<AuthenticationKey | undefined>

/** Looks up the keys of requests that arrive together in one statement, which starts after all of them have arrived. */
export function createKeyLookup(db: Database): KeyLookup {
  const outsideRequests = AsyncLocalStorage.snapshot()
  const find = batchCalls<string, AuthenticationKey | undefined>({
    itemsLimit: keysPerLookup,
    batchesLimit: lookupsLimit,
    batchesPerKey: lookupsLimit,
    async run(_key, hashes) {
      const distinct = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'latin1'))
      // Not in the trace of one of them, which may end before the lookup does.
      const found = await outsideRequests(() => findKeysForAuthenticationAcrossOrgs(db, distinct))
      const byHash = new Map(found.map((key) => [key.keyHash.toString('latin1'), key]))
      return (hash) => byHash.get(hash)
    },
  })
  return (hash) => find(anyKey, hash.toString('latin1'))
}

/** Asks for the hashes under all peppers at once, so a rotation adds no round trip. */
export async function findUnderAny(
  { findKey, peppers }: { findKey: KeyLookup; peppers: Pick<SecretRing, 'accepted'> },
  key: string,
): Promise<AuthenticationKey | undefined> {
  const hashes = peppers.accepted.map((pepper) => keyHash(pepper, key))
  const find = async (): Promise<AuthenticationKey | undefined> => {
    const candidates = await Promise.all(
      hashes.map(async (hash) => {
        const found = await findKey(hash)
        return equalInConstantTime(found?.keyHash ?? noKey, hash) ? found : undefined
      }),
    )
    return candidates.find((found) => found !== undefined)
  }
  // The lookups may be of different statements, between which the hash was renewed.
  return (await find()) ?? (hashes.length > 1 ? find() : undefined)
}

/** Queries Postgres on every request, so that a revoked key is refused immediately by every API process. */
export async function authenticateApiKey(
  deps: { findKey: KeyLookup; clock: Clock; peppers: SecretRing; keyUsage: KeyUsage },
  key: string,
  origin: Origin,
): Promise<Caller> {
  if (!isWellFormedKey(key)) throw unauthorized(invalid)
  const found = await findUnderAny(deps, key)
  if (!found || found.revokedAt || (found.expiresAt && found.expiresAt <= deps.clock.now()))
    throw unauthorized(invalid)
  if (!mayBeUsedFrom(found.allowedIps, origin.ip)) throw addressNotAllowed(origin.ip)
  deps.keyUsage.note(found)
  const { current } = deps.peppers
  if (found.pepperId !== current.id)
    deps.keyUsage.renew({
      orgId: found.orgId,
      apiKeyId: found.apiKeyId,
      before: found.keyHash,
      after: keyHash(current, key),
      pepperId: current.id,
    })
  const membership = toMembership(found)
  const held = effectivePermissions(membership)
  return {
    orgId: found.orgId,
    userId: found.userId,
    role: membership.role,
    permissions: found.scopes ? held.intersection(new Set(toPermissions(found.scopes))) : held,
    features: new Set(toFeatures(found.features)),
    credential: { kind: 'api_key', apiKeyId: found.apiKeyId },
    origin,
  }
}
