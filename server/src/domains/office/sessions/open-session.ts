import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller, Origin } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { missingClaim } from '../../../lib/crypto/required-claims.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { listMemberships } from '../../people/organizations/members/reads.ts'
import type { MembershipOfPerson } from '../../people/organizations/members/record.ts'
import { toCaller } from './authenticate-session.ts'
import type { NewSession, OpenedSession, Session, SessionDeps, SignedInPerson } from './record.ts'
import { absoluteLimitMs, idleLimitMs, newToken, sessionsPerUser, tokenHash } from './rules.ts'
import { toSessionView } from './schema.ts'
import {
  deleteSessionByHashAcrossOrgs,
  deleteStaleSessionsAcrossOrgs,
  insertSession,
  selectSessionsOfUserAcrossOrgs,
} from './store.ts'

const userAgentLimit = 500

/**
 * Always a new session with a new token: a cookie that was in the browser before is worth nothing afterwards. It is in
 * an organisation in which the person's role does not require a better sign-in.
 */
export async function openSession(
  deps: SessionDeps,
  origin: Origin,
  input: { person: SignedInPerson; previousToken: string | undefined },
): Promise<OpenedSession | 'not-a-member' | 'too-weak'> {
  const { person, previousToken } = input
  const all = await listMemberships(deps, person.userId)
  if (all.length === 0) return 'not-a-member'
  const memberships = all.filter(
    ({ membership }) => !missingClaim(deps.requiredClaims, membership.role, person.claims),
  )
  if (memberships.length === 0) return 'too-weak'
  const now = deps.clock.now()
  const token = newToken()
  const session = await deps.db.acrossOrgs(async (tx) => {
    const previous =
      previousToken === undefined
        ? undefined
        : await deleteSessionByHashAcrossOrgs(tx, tokenHash(deps.sessionKey, previousToken))
    const lastUsed = await selectSessionsOfUserAcrossOrgs(tx.db, person.userId)
    const membership = chooseMembership(memberships, [
      previous?.userId === person.userId ? previous.orgId : undefined,
      person.orgId,
      lastUsed[0]?.orgId,
    ])
    await deleteStaleSessionsAcrossOrgs(tx, person.userId, {
      now,
      idleSince: new Date(now.getTime() - idleLimitMs),
      kept: sessionsPerUser - 1,
    })
    const opened: NewSession = {
      orgId: membership.orgId,
      sessionId: newId(),
      userId: person.userId,
      tokenHash: tokenHash(deps.sessionKey, token),
      authTime: person.authTime,
      claims: person.claims,
      ...clientOf(origin),
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + absoluteLimitMs),
      createdAt: now,
    }
    await insertSession(tx, opened.orgId, opened)
    await auditSession(tx, toCaller({ ...opened, ...membership }, origin), opened, 'session.open')
    return opened
  })
  return { session, token }
}

/** The first of the wanted organisations that the person is a member of, or their first by name. */
function chooseMembership(
  memberships: readonly MembershipOfPerson[],
  wanted: readonly (string | undefined)[],
): MembershipOfPerson {
  const found = wanted
    .map((orgId) => memberships.find((membership) => membership.orgId === orgId))
    .find((membership) => membership !== undefined)
  const [first] = memberships
  if (!first) throw new Error('a person without a membership has no session')
  return found ?? first
}

export const clientOf = (origin: Origin): Pick<Session, 'ip' | 'userAgent'> => ({
  ip: origin.ip,
  userAgent: origin.userAgent?.slice(0, userAgentLimit) ?? null,
})

export const auditSession = (
  tx: Tx,
  caller: Caller,
  session: Session,
  action: 'session.open' | 'session.switch' | 'session.close',
): Promise<void> =>
  recordAudit(tx, caller, session.orgId, {
    action,
    resourceType: 'session',
    resourceId: session.sessionId,
    [action === 'session.close' ? 'before' : 'after']: toSessionView(session),
  })
