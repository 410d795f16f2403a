import { z } from 'zod'
import { stepSchema } from '../../core/transaction.ts'

/** An amount in the major unit, as a number or as text. */
const amountSchema = z
  .union([z.number().positive(), z.string().regex(/^\d{1,15}(\.\d+)?$/)])
  .transform(String)
  .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0)

const text = z.string().min(1)
const optionalText = z.string().optional()
const urlSchema = z.url({ protocol: /^https?$/ })

const chargeFields = {
  tx_ref: text,
  amount: amountSchema,
  currency: z.string().length(3),
  email: z.email(),
  fullname: optionalText,
  phone_number: optionalText,
  redirect_url: urlSchema.optional(),
}

export const mobileMoneySchema = z.object({
  ...chargeFields,
  phone_number: text,
  network: optionalText,
  country: optionalText,
  voucher: optionalText,
  order_id: optionalText,
})

export const bankTransferSchema = z.object({
  ...chargeFields,
  currency: z.literal('NGN'),
  is_permanent: z.boolean().optional(),
  expires: z.union([z.int().positive(), z.string()]).optional(),
})

export const encryptedSchema = z.object({ client: text, public_key: optionalText })

export const cardSchema = z.object({
  ...chargeFields,
  card_number: z.string().regex(/^\d{12,19}$/),
  cvv: z.string().regex(/^\d{3,4}$/),
  expiry_month: z.string().regex(/^\d{1,2}$/),
  expiry_year: z.string().regex(/^\d{2}$/),
  authorization: z.object({ mode: z.string(), pin: optionalText, zipcode: optionalText }).loose().optional(),
})

export const hostedSchema = z.object({
  tx_ref: text,
  amount: amountSchema,
  currency: z.string().length(3).default('NGN'),
  redirect_url: urlSchema,
  payment_options: optionalText,
  customer: z.object({ email: z.email(), phonenumber: optionalText, name: optionalText }),
})

export const validateSchema = z.object({ otp: z.string().min(4).max(8), flw_ref: text, type: optionalText })

export const transferSchema = z.object({
  account_bank: text,
  account_number: z.string().regex(/^\+?\d{4,20}$/),
  amount: amountSchema,
  currency: z.string().length(3),
  reference: text,
  narration: optionalText,
  debit_currency: optionalText,
  beneficiary_name: optionalText,
  destination_branch_code: optionalText,
  callback_url: optionalText,
  meta: z.unknown().optional(),
})

export const refundInputSchema = z.object({ amount: amountSchema.optional(), comments: optionalText })
export const resolveSchema = z.object({ account_number: z.string().regex(/^\d{4,20}$/), account_bank: text })

export const chargeDetailsSchema = z.object({
  id: z.number(),
  flwRef: z.string(),
  email: z.string(),
  /** The customer has not tried to pay on the page, so Flutterwave has no transaction. */
  isHidden: z.boolean().optional(),
  authModel: z.string(),
  redirectUrl: z.string().optional(),
  /** The plan after the customer has acted. */
  planAfterAction: z.array(stepSchema).default([]),
  otpTries: z.number().default(0),
  card: z.object({ first_6digits: z.string(), last_4digits: z.string() }).optional(),
  phone: z.string().optional(),
})
export type ChargeDetails = z.infer<typeof chargeDetailsSchema>

export const transferDetailsSchema = z.object({
  id: z.number(),
  accountNumber: z.string(),
  bankCode: z.string(),
  bankName: z.string(),
  fullName: z.string(),
  narration: z.string(),
})
export type TransferDetails = z.infer<typeof transferDetailsSchema>

export const refundDetailsSchema = z.object({
  id: z.number(),
  transactionId: z.number(),
  flwRef: z.string(),
  comment: z.string(),
})
export type RefundDetails = z.infer<typeof refundDetailsSchema>
