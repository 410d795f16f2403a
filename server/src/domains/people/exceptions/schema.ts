import { z } from 'zod'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, userId, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { ExceptionWithNotes } from './reads.ts'
import type { ExceptionRow } from './record.ts'
import { heldBy, releases } from './rules.ts'

export const exceptionParams = z.object({ exception_id: uuid })
export const closeExceptionBody = z.object({ resolution: z.string().trim().min(1).max(2000) })
export const releaseMoneyBody = z.object({
  outcome: z.enum(releases).meta({
    description:
      'returned: it went back to who paid it. kept: it is yours, such as after you paid the customer by hand.',
  }),
  comment: z.string().trim().min(1).max(1000),
})
export const assigneeBody = z.object({
  user_id: userId.nullable().meta({ description: 'Null takes it away from whoever has it.' }),
})
export const noteBody = z.object({ note: z.string().trim().min(1).max(4000) })
export const listExceptionsQuery = z.object({
  status: z.enum(['open', 'closed']).optional(),
  kind: z.string().max(60).optional(),
  payment_id: uuid.optional(),
  assignee_id: userId.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const exception = z
  .object({
    exception_id: uuid,
    org_id: uuid.nullable().meta({ description: 'Null for exceptions of the installation.' }),
    kind: z.string(),
    payment_id: uuid.nullable(),
    provider: z.string().nullable(),
    summary: z.string(),
    suggested_action: z.string(),
    held: z
      .object({ amount: wireDecimal, currency: z.string(), provider: z.string() })
      .nullable()
      .meta({ description: 'Money held in suspense until a person resolves it.' }),
    status: z.enum(['open', 'closed']),
    assignee_id: z.string().nullable(),
    resolution: z.string().nullable(),
    closed_by: z.string().nullable(),
    closed_at: dateTime.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Exception' })

export const exceptionResponse = success(exception)

const note = z.object({ note_id: uuid, user_id: z.string(), note: z.string(), created_at: dateTime })
export const exceptionWithNotesResponse = success(
  exception.extend({ notes: z.array(note) }).meta({ id: 'ExceptionWithNotes' }),
)
export const exceptionPage = success(z.array(exception)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export function toException(row: ExceptionRow): z.input<typeof exception> {
  const { held_minor: _minor, held_currency: _currency, held_provider: _provider, ...rest } = row
  const held = heldBy(row)
  return {
    ...rest,
    org_id: row.org_id === installationOrgId ? null : row.org_id,
    held: held
      ? {
          amount: wireAmount(held.amountMinor, held.currency),
          currency: held.currency,
          provider: held.provider,
        }
      : null,
    status: row.status === 'closed' ? 'closed' : 'open',
    closed_at: row.closed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export const toExceptionWithNotes = (
  message: string,
  { exception: row, notes }: ExceptionWithNotes,
): z.input<typeof exceptionWithNotesResponse> =>
  ok(message, {
    ...toException(row),
    notes: notes.map((one) => ({ ...one, created_at: one.created_at.toISOString() })),
  })

export const toExceptionPage = (page: Page<ExceptionRow>): z.input<typeof exceptionPage> => ({
  ...ok('Exceptions, newest first.', page.items.map(toException)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
