import type { Database } from '../../../kernel/db/database.ts'
import { effectivePermissions, type Caller, type Origin } from '../../../lib/requests/access.ts'
import { weakSignIn } from '../../../lib/errors.ts'
import { isUuid } from '../../../lib/ids.ts'
import { missingClaim, type RequiredClaims } from '../../../lib/crypto/required-claims.ts'
import type { TokenVerifier } from '../../../lib/crypto/token.ts'
import { notYourOrganization } from './errors.ts'
import { findMembership } from './members/store.ts'

/** The JWT identifies user and organisation; permissions come from the membership in our database. */
export async function authenticateToken(
  deps: { db: Database; verifyToken: TokenVerifier; requiredClaims: RequiredClaims },
  token: string,
  origin: Origin,
): Promise<Caller> {
  const { userId, orgId, claims } = await deps.verifyToken(token)
  if (orgId === undefined || !isUuid(orgId)) throw notYourOrganization()
  const membership = await deps.db.inOrg(orgId, (tx) => findMembership(tx, orgId, userId))
  if (!membership) throw notYourOrganization()
  const missing = missingClaim(deps.requiredClaims, membership.role, claims)
  if (missing) throw weakSignIn(missing)
  return {
    orgId,
    userId,
    role: membership.role,
    permissions: effectivePermissions(membership),
    features: new Set(membership.features),
    credential: { kind: 'jwt' },
    origin,
  }
}
