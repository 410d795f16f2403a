import {
  effectivePermissions,
  type Caller,
  type Origin,
  type PresentedSession,
} from '../../../lib/requests/access.ts'
import { equalInConstantTime } from '../../../lib/crypto/crypto.ts'
import { weakSignIn } from '../../../lib/errors.ts'
import { missingClaim } from '../../../lib/crypto/required-claims.ts'
import { otherOrganization, sessionOver } from './errors.ts'
import type { SessionDeps, SessionWithMember } from './record.ts'
import { isOver, tokenHash, touchAfterMs } from './rules.ts'
import { findSessionForAuthenticationAcrossOrgs, updateLastSeen } from './store.ts'

const noSession = Buffer.alloc(32)

/** Queries Postgres on every request, so that a session that ends is refused immediately by every API process. */
export async function authenticateSession(
  deps: SessionDeps,
  presented: PresentedSession,
  origin: Origin,
): Promise<Caller> {
  const now = deps.clock.now()
  const hash = tokenHash(deps.sessionKey, presented.token)
  const found = await findSessionForAuthenticationAcrossOrgs(deps.db.readAcrossOrgs, hash)
  const isGenuine = equalInConstantTime(found?.tokenHash ?? noSession, hash)
  if (!found || !isGenuine || isOver(found, now)) throw sessionOver()
  const { orgId, sessionId } = found
  const missing = missingClaim(deps.requiredClaims, found.membership.role, found.claims)
  if (missing) throw weakSignIn(missing)
  if (presented.expectedOrgId !== undefined && presented.expectedOrgId !== orgId) throw otherOrganization()
  if (!presented.isBackground && now.getTime() - found.lastSeenAt.getTime() >= touchAfterMs)
    await deps.db.inOrg(orgId, (tx) => updateLastSeen(tx, orgId, { sessionId, lastSeenAt: now }))
  return toCaller(found, origin)
}

export const toCaller = (
  session: Pick<SessionWithMember, 'orgId' | 'userId' | 'sessionId' | 'authTime' | 'membership' | 'features'>,
  origin: Origin,
): Caller => ({
  orgId: session.orgId,
  userId: session.userId,
  role: session.membership.role,
  permissions: effectivePermissions(session.membership),
  features: new Set(session.features),
  credential: { kind: 'session', sessionId: session.sessionId, authTime: session.authTime },
  origin,
})
