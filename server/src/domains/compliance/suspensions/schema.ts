import { z } from 'zod'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { suspensionKinds, type Suspension } from './record.ts'

const reason = z.string().trim().min(1).max(500)

export const createSuspensionBody = z.object({
  kind: z.enum(suspensionKinds).meta({
    description:
      '`organization`: no money leaves it. `member`, `api_key`: their requests are refused. `provider_account`: nothing is sent through it. `payouts`: no money leaves the installation.',
  }),
  subject_id: z.string().min(1).max(255).optional().meta({
    description:
      'The organisation, the member’s user id, the API key or the provider account. Left out for `payouts`.',
  }),
  org_id: uuid.optional().meta({ description: 'The organisation of a member or an API key.' }),
  reason,
})

export const liftSuspensionBody = z.object({ reason })
export const suspensionParams = z.object({ suspension_id: uuid })

export const listSuspensionsQuery = z.object({
  status: z.enum(['in_force', 'lifted']).optional(),
  kind: z.enum(suspensionKinds).optional(),
  org_id: uuid.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const suspension = z
  .object({
    suspension_id: uuid,
    kind: z.enum(suspensionKinds),
    org_id: uuid.nullable().meta({ description: 'Null for the installation: its payouts and its accounts.' }),
    subject_id: z.string().nullable().meta({ description: 'Null for `payouts`.' }),
    status: z.enum(['in_force', 'lifted']),
    reason: z.string(),
    suspended_by: z.string(),
    suspended_at: dateTime,
    lift_reason: z.string().nullable(),
    lifted_by: z.string().nullable(),
    lifted_at: dateTime.nullable(),
  })
  .meta({ id: 'Suspension' })

export const suspensionResponse = success(suspension)
export const suspensionPage = success(z.array(suspension)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toSuspensionView = (one: Suspension): z.input<typeof suspension> => ({
  suspension_id: one.suspensionId,
  kind: one.kind,
  org_id: one.orgId === installationOrgId ? null : one.orgId,
  subject_id: one.kind === 'payouts' ? null : one.subjectId,
  status: one.liftedAt ? 'lifted' : 'in_force',
  reason: one.reason,
  suspended_by: one.suspendedBy,
  suspended_at: one.suspendedAt.toISOString(),
  lift_reason: one.liftReason,
  lifted_by: one.liftedBy,
  lifted_at: one.liftedAt?.toISOString() ?? null,
})

export const toSuspensionPage = (page: Page<Suspension>): z.input<typeof suspensionPage> => ({
  ...ok('Suspensions, newest first.', page.items.map(toSuspensionView)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

/** Without the reason: the organisation reads its audit log, and a suspicion must not be disclosed to it. */
export const toAudited = ({ kind, subjectId, liftedAt }: Suspension) => ({
  kind,
  subject_id: subjectId,
  status: liftedAt ? 'lifted' : 'in_force',
})
