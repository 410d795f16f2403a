import { z } from 'zod'

/** The parts of TrueLayer's answers that we read. Unknown fields are ignored; an unknown status is never final. */
const text = z.string().nullish().catch(null)
const metadata = z.object({ reference: text }).nullish().catch(null)

export const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.int().positive() })
export const refusedTokenSchema = z.object({ error: z.string().min(1) })

/** Problem Details. `errors` lists the invalid fields. */
export const problemSchema = z.object({
  title: z.string().min(1),
  status: z.int(),
  errors: z.record(z.string(), z.unknown()).nullish().catch(null),
})

export const createdSchema = z.object({ id: z.string().min(1) })
export const createdPaymentSchema = createdSchema.extend({
  status: z.string().min(1),
  hosted_page: z.object({ uri: z.url({ protocol: /^https?$/ }) }),
})

/** A payment, a payout or a refund. */
export const movementSchema = createdSchema.extend({
  status: z.string().min(1),
  amount_in_minor: z.int().nonnegative(),
  currency: z.string(),
  failure_reason: text,
  metadata,
})
export const refundsSchema = z.object({ items: z.array(movementSchema) })

const rowSchema = z.object({
  type: z.string(),
  amount_in_minor: z.int().nonnegative(),
  currency: z.string(),
  status: z.string(),
  payment_id: text,
  payout_id: text,
  refund_id: text,
  settled_at: text,
  created_at: text,
})
export type Row = z.infer<typeof rowSchema>
export const rowsSchema = z.object({
  items: z.array(rowSchema),
  pagination: z.object({ next_cursor: text }).nullish(),
})

export const eventSchema = z.object({
  type: z.string().min(1),
  event_id: z.string().min(1),
  payment_id: text,
  payout_id: text,
  refund_id: text,
  failure_reason: text,
  metadata,
})
