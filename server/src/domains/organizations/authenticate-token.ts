import type { Database } from '../../db/database.ts'
import { effectivePermissions, type Caller, type Origin } from '../../lib/access.ts'
import { unauthorized } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { TokenVerifier } from '../../lib/token.ts'
import { findMembership } from './store.ts'

/** A JWT names its user and organisation; the membership in our database says what they may do. */
export async function authenticateToken(
  deps: { db: Database; verifyToken: TokenVerifier },
  token: string,
  origin: Origin,
): Promise<Caller> {
  const { userId, orgId } = await deps.verifyToken(token)
  const membership = isUuid(orgId)
    ? await deps.db.inOrg(orgId, (tx) => findMembership(tx, orgId, userId))
    : undefined
  if (!membership) throw unauthorized('The token names an organisation that you are not a member of.')
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
