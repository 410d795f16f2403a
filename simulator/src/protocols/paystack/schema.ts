import { z } from 'zod'
import { stepSchema } from '../../core/transaction.ts'

const CURRENCIES = ['GHS', 'KES', 'NGN', 'ZAR', 'USD'] as const
const TRANSFER_CURRENCIES = ['NGN', 'ZAR', 'KES', 'GHS'] as const
const CHANNELS = ['card', 'bank', 'ussd', 'qr', 'eft', 'mobile_money', 'bank_transfer'] as const
const RECIPIENT_TYPES = ['nuban', 'ghipss', 'mobile_money', 'mobile_money_business', 'basa', 'kepss'] as const

/** An amount in subunits, as a number or as text. */
const subunitsSchema = z
  .union([z.int().positive(), z.string().regex(/^[1-9]\d{0,15}$/)])
  .transform((amount) => BigInt(amount))

const transactionFields = {
  email: z.email(),
  amount: subunitsSchema,
  currency: z.enum(CURRENCIES).default('NGN'),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=_-]{1,100}$/)
    .optional(),
  metadata: z.unknown().optional(),
}

export const initializeSchema = z.object({
  ...transactionFields,
  callback_url: z.url({ protocol: /^https?$/ }).optional(),
  channels: z.array(z.enum(CHANNELS)).optional(),
})

export const chargeSchema = z.object({
  ...transactionFields,
  mobile_money: z.object({ phone: z.string(), provider: z.string() }).optional(),
  bank_transfer: z
    .object({ account_expires_at: z.iso.datetime({ offset: true }).nullable().optional() })
    .optional(),
})

export const submitOtpSchema = z.object({ otp: z.string(), reference: z.string() })

export const bankPaymentSchema = z.object({
  account: z.string().default('default'),
  reference: z.string(),
  amount: subunitsSchema,
})

export const createCustomerSchema = z.object({
  email: z.email(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  phone: z.string().optional(),
})
export const dedicatedAccountInputSchema = z.object({
  customer: z.string().min(1),
  preferred_bank: z.string().optional(),
})
export const depositSchema = z.object({
  account: z.string().default('default'),
  account_number: z.string().regex(/^\d{10}$/),
  amount: subunitsSchema,
  currency: z.enum(CURRENCIES).default('NGN'),
  sender_name: z.string().default('SANDBOX SENDER'),
  reference: z.string().optional(),
})

export const recipientInputSchema = z.object({
  type: z.enum(RECIPIENT_TYPES),
  name: z.string().min(1),
  account_number: z.string().regex(/^\+?\d{4,20}$/),
  bank_code: z.string().min(1),
  currency: z.enum(TRANSFER_CURRENCIES).optional(),
  description: z.string().optional(),
})

export const transferSchema = z.object({
  source: z.literal('balance'),
  amount: subunitsSchema,
  recipient: z.string(),
  reference: z.string().regex(/^[a-z0-9_-]{16,100}$/),
  reason: z.string().optional(),
  currency: z.enum(TRANSFER_CURRENCIES).default('NGN'),
})

export const finalizeSchema = z.object({ transfer_code: z.string(), otp: z.string() })
export const resendOtpSchema = z.object({ transfer_code: z.string(), reason: z.string() })

export const refundInputSchema = z.object({
  transaction: z.union([z.string(), z.int().transform(String)]),
  amount: subunitsSchema.optional(),
  currency: z.enum(CURRENCIES).optional(),
  customer_note: z.string().optional(),
  merchant_note: z.string().optional(),
})

export const chargeDetailsSchema = z.object({
  id: z.number(),
  flow: z.enum(['hosted', 'mobile_money', 'bank_transfer', 'dedicated']),
  email: z.string(),
  metadata: z.unknown().optional(),
  /** Sends `charge.failed`, which Paystack does not do for most flows. */
  tellsFailure: z.boolean().optional(),
  /** For a hosted page. */
  callbackUrl: z.string().optional(),
  /** The plan after the customer has paid on the page or entered the right password. */
  planAfterAction: z.array(stepSchema).optional(),
  /** For mobile money. */
  phone: z.string().optional(),
  telco: z.string().optional(),
  otpTries: z.number().optional(),
  /** For a bank transfer. */
  accountNumber: z.string().optional(),
  accountExpiresAt: z.string().optional(),
  rejectedSubunits: z.string().optional(),
  /** For a deposit to a dedicated account. */
  senderName: z.string().optional(),
})
export type ChargeDetails = z.infer<typeof chargeDetailsSchema>

export const transferDetailsSchema = z.object({
  id: z.number(),
  recipientCode: z.string(),
  reason: z.string().optional(),
  otpTries: z.number().optional(),
})
export type TransferDetails = z.infer<typeof transferDetailsSchema>

export const refundDetailsSchema = z.object({
  id: z.number(),
  transactionId: z.number(),
  transactionReference: z.string(),
  transactionSubunits: z.number(),
  email: z.string(),
  customerNote: z.string(),
  merchantNote: z.string(),
})
export type RefundDetails = z.infer<typeof refundDetailsSchema>

export const recipientSchema = z.object({
  id: z.number(),
  recipientCode: z.string(),
  account: z.string(),
  type: z.enum(RECIPIENT_TYPES),
  name: z.string(),
  accountNumber: z.string(),
  bankCode: z.string(),
  bankName: z.string(),
  currency: z.string(),
  description: z.string().nullable(),
  createdAt: z.string(),
})
export type Recipient = z.infer<typeof recipientSchema>

export const customerSchema = z.object({ email: z.string(), name: z.string() })

export const dedicatedAccountSchema = z.object({
  account: z.string(),
  accountNumber: z.string(),
  accountName: z.string(),
  customerCode: z.string(),
  email: z.string(),
  createdAt: z.string(),
})
export type DedicatedAccount = z.infer<typeof dedicatedAccountSchema>
