import { z } from 'zod'

/** The parts of Paystack's answers that we read. Unknown fields are ignored. */
export const envelopeSchema = z
  .object({
    status: z.boolean(),
    message: z.string().catch(''),
    type: z.string().catch(''),
    code: z.string().catch(''),
    data: z.unknown().optional(),
    meta: z.unknown().optional(),
  })
  // Paystack's OpenAPI file swaps type and code in one place, so we search both for known words.
  .transform(({ status: isSuccess, type, code, message, data, meta }) => ({
    isSuccess,
    words: [type, code, message],
    data,
    meta,
  }))

export const idSchema = z.union([z.int(), z.string().min(1)]).transform(String)
export const subunitsSchema = z
  .union([z.int().nonnegative(), z.string().regex(/^\d+$/), z.bigint()])
  .transform(BigInt)
const textSchema = z.string().nullish().catch(null)
export const timeSchema = z.iso.datetime({ offset: true }).optional()

/** A charge, transaction, transfer or refund. While the customer has to act, it has little more than a status. */
export const movementSchema = z.object({
  status: z.string().min(1),
  reference: z.string().min(1).optional(),
  id: idSchema.nullish(),
  amount: subunitsSchema.nullish(),
  /** What we asked for. `amount` is more if the payer bears the fees, as the dashboard allows. */
  requested_amount: subunitsSchema.nullish().catch(null),
  /** What Paystack charges: `fees` of a charge, `fee_charged` of a transfer. */
  fees: subunitsSchema.nullish().catch(null),
  fee_charged: subunitsSchema.nullish().catch(null),
  currency: textSchema,
  channel: textSchema,
  gateway_response: textSchema,
  message: textSchema,
  display_text: textSchema,
  account_name: textSchema,
  account_number: textSchema,
  account_expires_at: textSchema,
  bank: z.object({ name: z.string() }).nullish().catch(null),
  transfer_code: textSchema,
  transaction_reference: textSchema,
  refund_reference: textSchema,
  merchant_note: textSchema,
})
export type Movement = z.infer<typeof movementSchema>

export const dedicatedChannel = 'dedicated_nuban'
/** A deposit to a virtual account contains the account and no reference of ours. */
export const depositSchema = z.object({
  id: idSchema,
  reference: z.string().min(1),
  amount: subunitsSchema,
  currency: z.string(),
  channel: z.literal(dedicatedChannel),
  authorization: z
    .object({
      receiver_bank_account_number: textSchema,
      sender_name: textSchema,
      sender_bank: textSchema,
      sender_bank_account_number: textSchema,
      narration: textSchema,
    })
    .nullish()
    .catch(null),
  metadata: z.object({ receiver_account_number: textSchema }).nullish().catch(null),
})
export const depositEventSchema = z.object({ event: z.literal('charge.success'), data: depositSchema })

const listedSchema = { id: idSchema, amount: subunitsSchema, currency: z.string() }
const rowSchema = movementSchema.extend({ ...listedSchema, created_at: timeSchema, createdAt: timeSchema })
export const rowsSchema = z.array(
  z.unknown().transform((row) => ({ ...rowSchema.parse(row), deposit: depositSchema.safeParse(row).data })),
)
export const banksSchema = z.array(
  z.object({
    name: z.string(),
    code: z.string().min(1),
    currency: z.string(),
    active: z.boolean(),
    type: z.string().catch(''),
  }),
)
export const pagesSchema = z.object({ pageCount: z.coerce.number().int() })
export const checkoutSchema = z.object({ authorization_url: z.url({ protocol: /^https?$/ }) })
export const holderSchema = z.object({ account_name: z.string().min(1) })
export const recipientSchema = z.object({ recipient_code: z.string().min(1) })
export const customerSchema = z.object({ customer_code: z.string().min(1) })
export const dedicatedAccountSchema = z.object({
  account_number: z.string().min(1),
  account_name: z.string().min(1),
  bank: z.object({ name: z.string() }),
})
export const eventSchema = z.object({ event: z.string(), data: movementSchema })
