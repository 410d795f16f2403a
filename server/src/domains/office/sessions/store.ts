import { sql, type Kysely } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { DB } from '../../../kernel/db/generated/schema.ts'
import { toFeatures, toMembership } from '../../../lib/requests/access.ts'
import type { Claims } from '../../../lib/crypto/required-claims.ts'
import type { LiveSession, NewSession, Session, SessionWithMember } from './record.ts'

const columns = [
  'sessions.org_id as orgId',
  'sessions.session_id as sessionId',
  'sessions.user_id as userId',
  'sessions.auth_time as authTime',
  sql<Claims>`coalesce(sessions.claims, '{}')`.as('claims'),
  'sessions.ip',
  'sessions.user_agent as userAgent',
  'sessions.last_seen_at as lastSeenAt',
  'sessions.expires_at as expiresAt',
  'sessions.created_at as createdAt',
] as const

export async function insertSession(tx: Tx, orgId: string, session: NewSession): Promise<void> {
  await tx.db
    .insertInto('sessions')
    .values({
      org_id: orgId,
      session_id: session.sessionId,
      user_id: session.userId,
      token_hash: session.tokenHash,
      auth_time: session.authTime,
      claims: JSON.stringify(session.claims),
      ip: session.ip,
      user_agent: session.userAgent,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      created_at: session.createdAt,
    })
    .execute()
}

/** A suspended member keeps the session, and it works again once the suspension is lifted. */
const isNotSuspended = sql<boolean>`not is_credential_suspended(sessions.org_id, sessions.user_id, null)`

/** Runs on every request, so the session, its member and the organisation's features are one statement. */
export async function findSessionForAuthenticationAcrossOrgs(
  db: Kysely<DB>,
  tokenHash: Buffer,
): Promise<SessionWithMember | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'sessions.org_id').onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .innerJoin('organizations', 'organizations.org_id', 'sessions.org_id')
    .select(columns)
    .select([
      'sessions.token_hash as tokenHash',
      'members.role',
      'members.grants',
      'members.revocations',
      'organizations.features',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where(isNotSuspended)
    .executeTakeFirst()
  if (!row) return undefined
  const { role, grants, revocations, features, ...session } = row
  return {
    ...session,
    membership: toMembership({ role, grants, revocations }),
    features: toFeatures(features),
  }
}

/** A request that was slower than another does not move the time back. */
export async function updateLastSeen(
  tx: Tx,
  orgId: string,
  { sessionId, lastSeenAt }: { sessionId: string; lastSeenAt: Date },
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ last_seen_at: lastSeenAt })
    .where('org_id', '=', orgId)
    .where('session_id', '=', sessionId)
    .where('last_seen_at', '<', lastSeenAt)
    .execute()
}

/** A person's sessions in every organisation, the one used last first. */
export const selectSessionsOfUserAcrossOrgs = (db: Kysely<DB>, userId: string): Promise<Session[]> =>
  db
    .selectFrom('sessions')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute()

export const deleteSessionByHashAcrossOrgs = (tx: Tx, tokenHash: Buffer): Promise<Session | undefined> =>
  tx.db.deleteFrom('sessions').where('token_hash', '=', tokenHash).returning(columns).executeTakeFirst()

/** Undefined when the session has ended already or is somebody else's. */
export const deleteSessionAcrossOrgs = (
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Session | undefined> =>
  tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .returning(columns)
    .executeTakeFirst()

export const deleteSessionsOfUserAcrossOrgs = (tx: Tx, userId: string): Promise<Session[]> =>
  tx.db.deleteFrom('sessions').where('user_id', '=', userId).returning(columns).execute()

/** Makes room for a new session: deletes those that are over and the least recently used beyond the number kept. */
export async function deleteStaleSessionsAcrossOrgs(
  tx: Tx,
  userId: string,
  { now, idleSince, kept }: { now: Date; idleSince: Date; kept: number },
): Promise<void> {
  await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((is) =>
      is.or([
        is('expires_at', '<=', now),
        is('last_seen_at', '<=', idleSince),
        is(
          'session_id',
          'in',
          is
            .selectFrom('sessions')
            .select('session_id')
            .where('user_id', '=', userId)
            .orderBy('last_seen_at', 'desc')
            .orderBy('session_id', 'desc')
            .offset(kept),
        ),
      ]),
    )
    .execute()
}

/** Of the given sessions those that exist, with what their members may do. */
export async function selectLiveSessions(
  tx: Tx,
  orgId: string,
  sessionIds: readonly string[],
): Promise<LiveSession[]> {
  const rows = await tx.db
    .selectFrom('sessions')
    .innerJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'sessions.org_id').onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .select([
      'sessions.session_id as sessionId',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.expires_at as expiresAt',
      'members.role',
      'members.grants',
      'members.revocations',
    ])
    .where('sessions.org_id', '=', orgId)
    .where('sessions.session_id', '=', sql<string>`any (${sessionIds}::uuid[])`)
    .where(isNotSuspended)
    .execute()
  return rows.map(({ role, grants, revocations, ...session }) => ({
    ...session,
    membership: toMembership({ role, grants, revocations }),
  }))
}
