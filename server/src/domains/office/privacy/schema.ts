import { z } from 'zod'
import { validationError } from '../../../lib/errors.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { erasureStatuses, erasureSubjects, shownSubjects, type Erasure, type ErasureOrder } from './record.ts'

const reason = z.string().trim().min(1).max(500).meta({
  description: 'Why, for the records of the organisation. Name nobody in it: it is kept.',
})

export const requestErasureBody = z.object({
  email: z.email().max(254).optional(),
  phone: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, 'must be a number such as +254700000000')
    .optional(),
  payment_id: uuid.optional(),
  beneficiary_id: uuid.optional(),
  reason,
})

export function toErasureOrder(body: z.infer<typeof requestErasureBody>): ErasureOrder {
  const named = erasureSubjects.flatMap((subject) => {
    const value = { ...body, payment: body.payment_id, beneficiary: body.beneficiary_id }[subject]
    return value === undefined ? [] : [{ subject, value, reason: body.reason }]
  })
  const [order, ...others] = named
  if (!order || others.length > 0)
    throw validationError('Exactly one of email, phone, payment_id and beneficiary_id is needed.')
  return order
}

export const erasureParams = z.object({ erasure_id: uuid })
export const listErasuresQuery = z.object({
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const erasure = z
  .object({
    erasure_id: uuid,
    subject: z.enum(shownSubjects).meta({
      description:
        'By what the person was named; never the person. `retention`: the period of the operator has ended.',
    }),
    reason: z.string(),
    status: z.enum(erasureStatuses).meta({
      description:
        '`refused`: something began meanwhile for which the data must be kept; nothing was erased.',
    }),
    refusal: z.string().nullable(),
    payment_ids: z.array(uuid),
    beneficiary_ids: z.array(uuid),
    requested_by: z.string(),
    approved_by: z.string().nullable(),
    created_at: dateTime,
    ended_at: dateTime.nullable(),
  })
  .meta({ id: 'Erasure' })

export const erasureResponse = success(erasure)
export const erasurePage = success(z.array(erasure)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toErasureView = (one: Erasure): z.input<typeof erasure> => ({
  erasure_id: one.erasureId,
  subject: one.subject,
  reason: one.reason,
  status: one.status,
  refusal: one.refusal,
  payment_ids: one.paymentIds,
  beneficiary_ids: one.beneficiaryIds,
  requested_by: one.requestedBy,
  approved_by: one.approvedBy,
  created_at: one.createdAt.toISOString(),
  ended_at: one.endedAt?.toISOString() ?? null,
})

export const toErasurePage = (page: Page<Erasure>): z.input<typeof erasurePage> => ({
  ...ok('Erasures, newest first.', page.items.map(toErasureView)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
