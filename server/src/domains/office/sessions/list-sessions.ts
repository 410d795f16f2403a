import type { Caller } from '../../../lib/requests/access.ts'
import { listMemberships } from '../../people/organizations/members/reads.ts'
import type { MembershipOfPerson } from '../../people/organizations/members/record.ts'
import { sessionOver } from './errors.ts'
import type { Session, SessionDeps } from './record.ts'
import { isOver } from './rules.ts'
import { selectSessionsOfUserAcrossOrgs } from './store.ts'

/** The person's sessions in every organisation. Their number is bounded by sessionsPerUser. */
export async function listSessions(
  deps: Pick<SessionDeps, 'db' | 'clock'>,
  caller: Caller,
): Promise<Session[]> {
  const sessions = await selectSessionsOfUserAcrossOrgs(deps.db.readAcrossOrgs, caller.userId)
  return sessions.filter((session) => !isOver(session, deps.clock.now()))
}

/** The session of this request, with the organisations that the person can switch to. */
export async function getCurrentSession(
  deps: Pick<SessionDeps, 'db' | 'clock'>,
  caller: Caller,
  sessionId: string,
): Promise<{ session: Session; memberships: MembershipOfPerson[] }> {
  const [sessions, memberships] = await Promise.all([
    listSessions(deps, caller),
    listMemberships(deps, caller.userId),
  ])
  const session = sessions.find((one) => one.sessionId === sessionId)
  if (!session) throw sessionOver()
  return { session, memberships }
}
