import { z } from 'zod'
import { dateTime, success, uuid } from '../../../../lib/requests/wire.ts'

export const paymentParams = z.object({ payment_id: uuid })

const kind = z.enum([
  'request',
  'routing',
  'attempt',
  'ramp',
  'leg',
  'inquiry',
  'webhook',
  'posting',
  'event',
  'delivery',
  'review',
  'refund',
  'dispute',
  'exception',
  'resolution',
  'adjustment',
])

const timelineEntry = z
  .object({
    entry_id: z.string().meta({
      description: 'The same for this entry each time, and unique within the payment.',
      example: 'attempt.1',
    }),
    at: dateTime,
    kind,
    attempt_no: z.int().nullable().meta({ description: 'The attempt that it is about, if it is about one.' }),
    actors: z
      .array(z.object({ user_id: z.string(), name: z.string().nullable() }))
      .meta({ description: 'The people who did it. The name of a former member is null.' }),
    summary: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TimelineEntry' })

export const timelineResponse = success(z.array(timelineEntry)).extend({
  meta: z.object({
    count: z.int(),
    truncated: z.boolean().meta({ description: 'Whether a kind has more entries; the newest are shown.' }),
    truncated_kinds: z.array(kind),
    archived_kinds: z.array(kind).meta({
      description:
        'The kinds of entries that may be incomplete, because months since the payment were archived.',
    }),
    next_poll_at: dateTime
      .nullable()
      .meta({ description: 'When the provider is asked next; null when nobody will ask.' }),
  }),
})
export type TimelineEntry = z.input<typeof timelineEntry>
export type Timeline = Pick<z.input<typeof timelineResponse>, 'data' | 'meta'>
