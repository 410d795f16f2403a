import type { Database } from '../../db/database.ts'
import { effectivePermissions, toFeatures, toMembership, toPermissions } from '../../lib/access.ts'
import type { Caller, Origin } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import { equalInConstantTime } from '../../lib/crypto.ts'
import { unauthorized } from '../../lib/errors.ts'
import type { KeyUsage } from './record.ts'
import { isWellFormedKey, keyHash } from './rules.ts'
import { findKeyForAuthenticationAcrossOrgs } from './store.ts'

const invalid = 'The API key is unknown, revoked or expired. Create a new one in the settings.'
const noKey = Buffer.alloc(32)

/** Queries Postgres on every request, so that a revoked key is refused immediately by every API process. */
export async function authenticateApiKey(
  deps: { db: Database; clock: Clock; apiKeyPepper: Buffer; keyUsage: KeyUsage },
  key: string,
  origin: Origin,
): Promise<Caller> {
  if (!isWellFormedKey(key)) throw unauthorized(invalid)
  const hash = keyHash(deps.apiKeyPepper, key)
  const found = await findKeyForAuthenticationAcrossOrgs(deps.db.readAcrossOrgs, hash)
  const isGenuine = equalInConstantTime(found?.keyHash ?? noKey, hash)
  if (!found || !isGenuine || found.revokedAt || (found.expiresAt && found.expiresAt <= deps.clock.now()))
    throw unauthorized(invalid)
  deps.keyUsage.note(found)
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
