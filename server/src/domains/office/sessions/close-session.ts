import type { Caller } from '../../../lib/requests/access.ts'
import { noSuchSession } from './errors.ts'
import { auditSession } from './open-session.ts'
import type { SessionDeps } from './record.ts'
import { deleteSessionAcrossOrgs, deleteSessionsOfUserAcrossOrgs } from './store.ts'

/** People end their own sessions only, in whichever organisation these are. */
export const closeSession = (
  deps: Pick<SessionDeps, 'db'>,
  caller: Caller,
  sessionId: string,
): Promise<void> =>
  deps.db.acrossOrgs(async (tx) => {
    const session = await deleteSessionAcrossOrgs(tx, { userId: caller.userId, sessionId })
    if (!session) throw noSuchSession()
    await auditSession(tx, caller, session, 'session.close')
  })

/** Every session of the person, this one included. */
export const closeEverySession = (deps: Pick<SessionDeps, 'db'>, caller: Caller): Promise<number> =>
  deps.db.acrossOrgs(async (tx) => {
    const sessions = await deleteSessionsOfUserAcrossOrgs(tx, caller.userId)
    for (const session of sessions) await auditSession(tx, caller, session, 'session.close')
    return sessions.length
  })
