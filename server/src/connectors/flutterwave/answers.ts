import { z } from 'zod'

/** The parts of Flutterwave's answers that we read. Unknown fields are ignored. */
export const envelopeSchema = z
  .object({
    status: z.enum(['success', 'error']),
    message: z.string().catch(''),
    data: z.unknown().optional(),
    meta: z.unknown().optional(),
  })
  .transform(({ status, message, data, meta }) => ({
    isSuccess: status === 'success',
    words: [message],
    data,
    meta,
  }))

export const idSchema = z.union([z.int(), z.string().min(1)]).transform(String)
export const amountSchema = z
  .union([z.number().nonnegative(), z.string().regex(/^\d+(\.\d+)?$/)])
  .transform(String)
export const textSchema = z.string().nullish().catch(null)
const webUrl = z.url({ protocol: /^https?$/ })

/** A charge or a transfer; their fields have different names. */
export const movementSchema = z
  .object({
    id: idSchema,
    tx_ref: textSchema,
    reference: textSchema,
    flw_ref: textSchema,
    status: z.string().min(1),
    amount: amountSchema,
    currency: z.string(),
    app_fee: amountSchema.nullish().catch(null),
    fee: amountSchema.nullish().catch(null),
    processor_response: textSchema,
    complete_message: textSchema,
    created_at: textSchema,
  })
  .transform(({ tx_ref, reference, processor_response, complete_message, app_fee, fee, ...rest }) => ({
    ...rest,
    fee: app_fee ?? fee ?? null,
    reference: tx_ref ?? reference ?? null,
    why: processor_response ?? complete_message ?? '',
  }))
export type Movement = z.infer<typeof movementSchema>

export const refundSchema = z.object({
  id: idSchema,
  status: z.string().min(1),
  comment: textSchema,
  transaction_id: idSchema.nullish(),
  amount_refunded: z.union([z.number(), z.string()]).transform(String).nullish().catch(null),
})

export type RefundRow = z.infer<typeof refundSchema>

const authorizationSchema = z.object({
  mode: z.string(),
  redirect: webUrl.optional(),
  transfer_reference: textSchema,
  transfer_account: textSchema,
  transfer_bank: textSchema,
  account_expiration: textSchema,
})
export type Authorization = z.infer<typeof authorizationSchema>
export const authorizedSchema = z.object({ authorization: authorizationSchema })

export const linkSchema = z.object({ link: webUrl })
export const pageInfoSchema = z.object({ page_info: z.object({ total_pages: z.coerce.number().int() }) })
export const banksSchema = z.array(z.object({ code: z.string().min(1), name: z.string() }))
export const accountSchema = z.object({ account_name: z.string().min(1) })
export const eventSchema = z.object({
  event: z.enum(['charge.completed', 'transfer.completed']),
  data: movementSchema,
})
