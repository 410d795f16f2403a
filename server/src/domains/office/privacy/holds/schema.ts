import { z } from 'zod'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../../lib/requests/wire.ts'
import type { LegalHold } from './record.ts'

const subject = z.enum(['payment', 'beneficiary', 'organization'])

export const createHoldBody = z.object({
  subject,
  subject_id: uuid,
  reason: z.string().trim().min(1).max(500),
})
export const holdParams = z.object({ hold_id: uuid })
export const listHoldsQuery = z.object({
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const legalHold = z
  .object({
    hold_id: uuid,
    subject,
    subject_id: uuid,
    reason: z.string(),
    placed_by: z.string(),
    placed_at: dateTime,
    lifted_by: z.string().nullable(),
    lifted_at: dateTime.nullable(),
  })
  .meta({ id: 'LegalHold' })

export const holdResponse = success(legalHold)
export const holdPage = success(z.array(legalHold)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toHoldView = (hold: LegalHold): z.input<typeof legalHold> => ({
  hold_id: hold.holdId,
  subject: hold.subject,
  subject_id: hold.subjectId,
  reason: hold.reason,
  placed_by: hold.placedBy,
  placed_at: hold.placedAt.toISOString(),
  lifted_by: hold.liftedBy,
  lifted_at: hold.liftedAt?.toISOString() ?? null,
})

export const toHoldPage = (page: Page<LegalHold>): z.input<typeof holdPage> => ({
  ...ok('Legal holds, newest first.', page.items.map(toHoldView)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
