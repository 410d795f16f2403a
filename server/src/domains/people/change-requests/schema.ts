import { z } from 'zod'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { changeKinds, type ChangeRequest } from './record.ts'
import { statusAt } from './rules.ts'

export const orgParams = z.object({ org_id: uuid })
export const requestParams = z.object({ org_id: uuid, request_id: uuid })
export const listRequestsQuery = z.object({
  status: z.enum(['pending', 'approved', 'rejected', 'canceled']).optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})
export const decisionBody = z.object({ comments: z.string().trim().min(1).max(2000).nullish() }).nullish()
export const controlBody = z.object({ enabled: z.boolean() })

const changeRequest = z
  .object({
    org_id: uuid,
    request_id: uuid,
    kind: z.enum(changeKinds),
    summary: z.string(),
    approver: z
      .enum(['administrator', 'operator'])
      .meta({ description: 'Who decides: another org-admin or the operator, or the operator alone.' }),
    payload: z.unknown().meta({ description: 'The requested change, without secrets and account numbers.' }),
    status: z.enum(['pending', 'approved', 'rejected', 'canceled', 'expired']),
    requested_by: z.string(),
    reviewed_by: z.string().nullable().meta({
      description: 'The first of two operators who approve what creates or releases pooled money.',
    }),
    decided_by: z.string().nullable(),
    comments: z.string().nullable(),
    expires_at: dateTime,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ChangeRequest' })

export const changeRequestResponse = success(changeRequest)
export const changeRequestPage = success(z.array(changeRequest)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const controlResponse = success(z.object({ enabled: z.boolean() }))

const toView = (request: ChangeRequest, now: Date): z.input<typeof changeRequest> => ({
  org_id: request.orgId,
  request_id: request.requestId,
  kind: request.kind,
  summary: request.summary,
  approver: request.approver,
  payload: request.payload,
  status: statusAt(request, now),
  requested_by: request.requestedBy,
  reviewed_by: request.reviewedBy,
  decided_by: request.decidedBy,
  comments: request.comments,
  expires_at: request.expiresAt.toISOString(),
  created_at: request.createdAt.toISOString(),
  updated_at: request.updatedAt.toISOString(),
})

/** The body of a 202: the change was not made yet. */
export const toHeld = (request: ChangeRequest): z.input<typeof changeRequestResponse> =>
  ok(
    request.approver === 'operator'
      ? 'The operator has to approve this change.'
      : 'Another administrator has to approve this change.',
    toView(request, request.createdAt),
  )

export const toChangeRequest = (
  message: string,
  request: ChangeRequest,
  now: Date,
): z.input<typeof changeRequestResponse> => ok(message, toView(request, now))

export const toChangeRequestPage = (
  page: Page<ChangeRequest>,
  now: Date,
): z.input<typeof changeRequestPage> => ({
  ...ok(
    'Change requests, newest first.',
    page.items.map((request) => toView(request, now)),
  ),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
