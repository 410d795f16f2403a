import { z } from 'zod'
import { dateTime, success, uuid } from '../../../lib/wire.ts'

export const paymentParams = z.object({ payment_id: uuid })

const timelineEntry = z.object({
  at: dateTime,
  kind: z.enum([
    'request',
    'routing',
    'attempt',
    'inquiry',
    'webhook',
    'posting',
    'event',
    'review',
    'refund',
    'dispute',
    'exception',
    'resolution',
    'adjustment',
  ]),
  summary: z.string(),
  data: z.record(z.string(), z.unknown()),
})

export const timelineResponse = success(z.array(timelineEntry))
export type TimelineEntry = z.input<typeof timelineEntry>
