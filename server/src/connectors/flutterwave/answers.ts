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

const id = z.union([z.int(), z.string().min(1)]).transform(String)
const amount = z.union([z.number().nonnegative(), z.string().regex(/^\d+(\.\d+)?$/)]).transform(String)
const text = z.string().nullish().catch(null)
const webUrl = z.url({ protocol: /^https?$/ })

/** A charge or a transfer; their fields have different names. */
export const movementSchema = z
  .object({
    id,
    tx_ref: text,
    reference: text,
    flw_ref: text,
    status: z.string().min(1),
    amount,
    currency: z.string(),
    app_fee: amount.nullish().catch(null),
    fee: amount.nullish().catch(null),
    processor_response: text,
    complete_message: text,
    created_at: text,
  })
  .transform(({ tx_ref, reference, processor_response, complete_message, app_fee, fee, ...rest }) => ({
    ...rest,
    fee: app_fee ?? fee ?? null,
    reference: tx_ref ?? reference ?? null,
    why: processor_response ?? complete_message ?? '',
  }))
export type Movement = z.infer<typeof movementSchema>

export const refundSchema = z.object({
  id,
  status: z.string().min(1),
  comment: text,
  transaction_id: id.nullish(),
  amount_refunded: z.union([z.number(), z.string()]).transform(String).nullish().catch(null),
})

export type RefundRow = z.infer<typeof refundSchema>

const authorizationSchema = z.object({
  mode: z.string(),
  redirect: webUrl.optional(),
  transfer_reference: text,
  transfer_account: text,
  transfer_bank: text,
  account_expiration: text,
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
