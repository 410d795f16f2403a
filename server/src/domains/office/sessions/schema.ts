import { z } from 'zod'
import { roles, type Role } from '../../../lib/requests/access.ts'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import type { MembershipOfPerson } from '../../people/organizations/members/record.ts'
import type { Session } from './record.ts'
import { endsAt } from './rules.ts'

const maxAgeLimitSeconds = 12 * 60 * 60

export const loginQuery = z.object({
  /** The page of the dashboard to open afterwards. */
  return_to: z.string().max(2000).optional(),
  max_age: z.coerce.number().int().min(0).max(maxAgeLimitSeconds).optional(),
  prompt: z.enum(['login', 'select_account']).optional(),
})

export const sessionParams = z.object({ session_id: uuid })
export const organizationBody = z.strictObject({ org_id: uuid })

const session = z.object({
  session_id: uuid,
  org_id: uuid,
  user_id: z.string(),
  /** When the person last proved who they are; null if the identity provider does not report it. */
  auth_time: dateTime.nullable(),
  ip: z.string(),
  user_agent: z.string().nullable(),
  last_seen_at: dateTime,
  /** When it ends unless it is used before. */
  ends_at: dateTime,
  expires_at: dateTime,
  created_at: dateTime,
})

const organization = z.object({ org_id: uuid, name: z.string(), role: z.enum(roles) })

export const sessionResponse = success(session)
export const currentSessionResponse = success(session.extend({ organizations: z.array(organization) }))
export const sessionsResponse = success(z.array(session.extend({ is_current: z.boolean() })))
export const closedResponse = success(z.object({ closed: z.int() }))
export const nothing = z.null()

export const toSessionView = (row: Session): z.input<typeof session> => ({
  session_id: row.sessionId,
  org_id: row.orgId,
  user_id: row.userId,
  auth_time: row.authTime?.toISOString() ?? null,
  ip: row.ip,
  user_agent: row.userAgent,
  last_seen_at: row.lastSeenAt.toISOString(),
  ends_at: endsAt(row).toISOString(),
  expires_at: row.expiresAt.toISOString(),
  created_at: row.createdAt.toISOString(),
})

export const toCurrentSession = (found: {
  session: Session
  memberships: readonly MembershipOfPerson[]
}): z.input<typeof currentSessionResponse> =>
  ok('Your session.', {
    ...toSessionView(found.session),
    organizations: found.memberships.map(
      ({ orgId, organizationName, membership }): { org_id: string; name: string; role: Role } => ({
        org_id: orgId,
        name: organizationName,
        role: membership.role,
      }),
    ),
  })

export const toSessionList = (
  rows: readonly Session[],
  currentSessionId: string,
): z.input<typeof sessionsResponse> =>
  ok(
    'Your sessions, the one used last first.',
    rows.map((row) => ({ ...toSessionView(row), is_current: row.sessionId === currentSessionId })),
  )
