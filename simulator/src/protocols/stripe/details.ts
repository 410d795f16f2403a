import { z } from 'zod'
import { exponentOf, majorFromMinor, scaledAmount } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'

const metadataSchema = z.record(z.string(), z.string())

const shownCardSchema = z.object({
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number(),
  exp_year: z.number(),
})

/** The details of a payment. They never contain a card number, only brand and last four digits. */
const paymentDetailsSchema = z.object({
  metadata: metadataSchema,
  description: z.string().optional(),
  receiptEmail: z.string().optional(),
  customer: z.string().optional(),
  returnUrl: z.string().optional(),
  card: shownCardSchema.optional(),
  authentication: z.enum(['none', 'succeeds', 'succeeds_then_declined']).optional(),
  /** The payer is on the 3D Secure page. */
  isAuthenticating: z.boolean().optional(),
  /** The failure of the last attempt in an open session. */
  paymentErrorCode: z.string().optional(),
  bankTransfer: z
    .object({ type: z.enum(['gb_bank_transfer', 'eu_bank_transfer']), country: z.string() })
    .optional(),
  receivedMinor: z.number().optional(),
  session: z
    .object({
      metadata: metadataSchema,
      successUrl: z.string(),
      cancelUrl: z.string().optional(),
      clientReferenceId: z.string().optional(),
      customerEmail: z.string().optional(),
      productName: z.string(),
      expiresAtSeconds: z.number(),
    })
    .optional(),
  /** A session has no intent before the first attempt to pay. */
  hasTried: z.boolean().optional(),
  /** The money arrived after the page was closed, so the `async_payment` events are sent. */
  isAsync: z.boolean().optional(),
})
export type PaymentDetails = z.infer<typeof paymentDetailsSchema>

const refundDetailsSchema = z.object({
  metadata: metadataSchema,
  reason: z.string().optional(),
  /** The reference of the payment. */
  payment: z.string(),
  suffix: z.string(),
})
export type RefundDetails = z.infer<typeof refundDetailsSchema>

export function paymentDetailsOf(transaction: Transaction): PaymentDetails {
  return paymentDetailsSchema.parse(transaction.details)
}

export function refundDetailsOf(transaction: Transaction): RefundDetails {
  return refundDetailsSchema.parse(transaction.details)
}

/** An integer in Stripe's smallest unit. */
export function minorOf(transaction: Pick<Transaction, 'amount' | 'currency'>): number {
  return Number(scaledAmount(transaction.amount, exponentOf(transaction.currency)) ?? 0n)
}

export function majorOf(amountMinor: number, currency: string): string {
  return majorFromMinor(amountMinor, exponentOf(currency))
}

export function secondsOf(at: string): number {
  return Math.floor(Date.parse(at) / 1_000)
}
