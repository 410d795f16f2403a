import { z } from 'zod'
import { roles } from '../../../../lib/requests/access.ts'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { countryCode, dateTime, ok, plainName, success, uuid } from '../../../../lib/requests/wire.ts'
import type { Invitation } from './record.ts'
import { statusAt } from './rules.ts'

export const orgParams = z.object({ org_id: uuid })
export const invitationParams = z.object({ org_id: uuid, invitation_id: uuid })
export const tokenParams = z.object({ token: z.string().max(200) })
export const listInvitationsQuery = z.object({
  limit: pageLimit,
  lastEvaluatedKey: z.string().max(1024).optional(),
})

export const inviteBody = z.object({ email: z.email().max(320), role: z.enum(roles) })
export const acceptBody = z.object({
  token: z.string().min(1).max(200).meta({ description: 'The code of the invitation, from its link.' }),
  first_name: plainName,
  last_name: plainName,
  country: countryCode.nullish(),
})

const invitation = z
  .object({
    org_id: uuid,
    invitation_id: uuid,
    email: z.string(),
    role: z.enum(roles),
    status: z.enum(['pending', 'accepted', 'revoked', 'expired']),
    invited_by: z.string(),
    accepted_by: z.string().nullable(),
    expires_at: dateTime,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Invitation' })

export const invitationResponse = success(invitation)
export const invitationPage = success(z.array(invitation)).extend({
  meta: z.object({ count: z.int(), lastEvaluatedKey: z.string().nullable() }),
})

export const toInvitationView = (row: Invitation, now: Date): z.input<typeof invitation> => ({
  org_id: row.orgId,
  invitation_id: row.invitationId,
  email: row.email,
  role: row.role,
  status: statusAt(row, now),
  invited_by: row.invitedBy,
  accepted_by: row.acceptedBy,
  expires_at: row.expiresAt.toISOString(),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toInvitationPage = (page: Page<Invitation>, now: Date): z.input<typeof invitationPage> => ({
  ...ok(
    'Invitations, newest first.',
    page.items.map((row) => toInvitationView(row, now)),
  ),
  meta: { count: page.items.length, lastEvaluatedKey: page.nextCursor },
})
