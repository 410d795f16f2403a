import { z } from 'zod'
import { features, permissions, roles, type Caller } from '../../../../lib/requests/access.ts'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../../lib/requests/wire.ts'
import type { Member } from './record.ts'

export const listUsersQuery = z.object({
  org_id: uuid.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const user = z
  .object({
    user_id: z.string(),
    org_id: uuid,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    country: z.string().nullable(),
    role: z.enum(roles),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'User' })

export const currentUserResponse = success(
  user.extend({
    permissions: z.array(z.enum(permissions)),
    features: z.array(z.enum(features)),
    credential: z.enum(['api_key', 'jwt', 'payment_link', 'session']),
  }),
)

export const userPage = success(z.array(user)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

const toUser = (member: Member): z.input<typeof user> => ({
  user_id: member.userId,
  org_id: member.orgId,
  email: member.email,
  first_name: member.firstName,
  last_name: member.lastName,
  country: member.country,
  role: member.role,
  created_at: member.createdAt.toISOString(),
  updated_at: member.updatedAt.toISOString(),
})

export const toCurrentUser = (row: Member, caller: Caller): z.input<typeof currentUserResponse> =>
  ok('The user behind this credential.', {
    ...toUser(row),
    permissions: [...caller.permissions],
    features: [...caller.features],
    credential: caller.credential.kind,
  })

export const toUserPage = (page: Page<Member>): z.input<typeof userPage> => ({
  ...ok('Users, newest first.', page.items.map(toUser)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
