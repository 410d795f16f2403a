import { z } from 'zod'

/** The parts of Stripe's answers that we read. Unknown fields are ignored; an unknown status never ends a payment. */
const text = z.string().min(1)
const webAddress = z.url({ protocol: /^https?$/ })
const currency = z.string().toUpperCase()
const amount = z.int().transform(BigInt)
const commonFields = {
  id: text,
  created: z.int(),
  metadata: z.record(z.string(), z.string()).nullish(),
}

/** The codes of an error, the most specific last. */
const errorSchema = z
  .object({ type: text, code: z.string().nullish(), decline_code: z.string().nullish() })
  .transform((error) => [error.type, error.code ?? '', error.decline_code ?? ''])

const addressSchema = z.object({
  iban: z.object({ account_holder_name: text, iban: text, bic: text }).optional(),
  sort_code: z.object({ account_holder_name: text, account_number: text, sort_code: text }).optional(),
})
const nextActionSchema = z.object({
  redirect_to_url: z.object({ url: webAddress }).optional(),
  display_bank_transfer_instructions: z
    .object({ reference: z.string().nullish(), financial_addresses: z.array(addressSchema).default([]) })
    .optional(),
})

const intentSchema = z.object({
  object: z.literal('payment_intent'),
  ...commonFields,
  status: text,
  amount,
  amount_received: amount.nullish(),
  currency,
  last_payment_error: errorSchema.nullish(),
  // An unreadable action is polled again; the status counts anyway.
  next_action: nextActionSchema.nullish().catch(null),
})
export type Intent = z.infer<typeof intentSchema>

const sessionSchema = z.object({
  object: z.literal('checkout.session'),
  ...commonFields,
  status: z.string().nullish(),
  payment_status: text,
  amount_total: amount.nullish(),
  currency: currency.nullish(),
  expires_at: z.int(),
  url: webAddress.nullish(),
  payment_intent: z.union([z.string(), intentSchema]).nullish(),
})
export type Session = z.infer<typeof sessionSchema>

const refundSchema = z.object({
  object: z.literal('refund'),
  ...commonFields,
  status: z.string().nullish(),
  amount,
  currency,
  payment_intent: z.string().nullish(),
})
export type Refund = z.infer<typeof refundSchema>

export const accountSchema = z.object({ object: z.literal('account'), id: text })
/** In `charge.refunded`. It has the metadata of its intent, and not its refunds. */
const chargeSchema = z.object({
  object: z.literal('charge'),
  ...commonFields,
  payment_intent: z.string().nullish(),
})

export type Charge = z.infer<typeof chargeSchema>

export const customerSchema = z.object({ object: z.literal('customer'), ...commonFields })

export const objectSchema = z.discriminatedUnion('object', [intentSchema, sessionSchema, refundSchema])
export type StripeObject = z.infer<typeof objectSchema>
export const pageSchema = z.object({ data: z.array(objectSchema), has_more: z.boolean() })
export const refusalSchema = z.object({ error: errorSchema })
export const eventSchema = z.object({
  object: z.literal('event'),
  id: text,
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.discriminatedUnion('object', [...objectSchema.options, chargeSchema]) }),
})
