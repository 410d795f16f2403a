import type { Caller } from '../../../lib/requests/access.ts'
import { weakSignIn } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { missingClaim } from '../../../lib/crypto/required-claims.ts'
import { listMemberships } from '../../people/organizations/members/reads.ts'
import { toCaller } from './authenticate-session.ts'
import { notAMember, sessionOver } from './errors.ts'
import { auditSession, clientOf } from './open-session.ts'
import type { NewSession, OpenedSession, SessionDeps } from './record.ts'
import { newToken, tokenHash } from './rules.ts'
import { deleteSessionAcrossOrgs, insertSession } from './store.ts'

/**
 * Replaces the session by one in the other organisation, with a new token. It does not live longer than the first, and
 * of two switches at the same time one wins.
 */
export async function changeOrganization(
  deps: SessionDeps,
  caller: Caller,
  input: { sessionId: string; orgId: string },
): Promise<OpenedSession> {
  const memberships = await listMemberships(deps, caller.userId)
  const membership = memberships.find(({ orgId }) => orgId === input.orgId)
  if (!membership) throw notAMember()
  const token = newToken()
  const session = await deps.db.acrossOrgs(async (tx) => {
    const { userId, origin } = caller
    const previous = await deleteSessionAcrossOrgs(tx, { userId, sessionId: input.sessionId })
    if (!previous) throw sessionOver()
    const missing = missingClaim(deps.requiredClaims, membership.membership.role, previous.claims)
    if (missing) throw weakSignIn(missing)
    const opened: NewSession = {
      ...previous,
      orgId: membership.orgId,
      sessionId: newId(),
      tokenHash: tokenHash(deps.sessionKey, token),
      ...clientOf(origin),
      lastSeenAt: deps.clock.now(),
    }
    await insertSession(tx, opened.orgId, opened)
    await auditSession(tx, toCaller({ ...opened, ...membership }, origin), opened, 'session.switch')
    return opened
  })
  return { session, token }
}
