import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'

function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const payBill = 'CustomerPayBillOnline'
const digits = z.string().regex(/^\d{5,9}$/)

/** The README lists the defaults that the provider has not confirmed. */
export const mpesaCredentials = z.strictObject({
  consumerKey: z.string().min(1),
  consumerSecret: z.string().min(1),
  /** The paybill or till that receives payins, and its passkey. */
  shortCode: digits,
  passkey: z.string().min(1),
  transactionType: z.enum([payBill, 'CustomerBuyGoodsOnline']).default(payBill),
  /** The till number, if it differs from the store number. Absent: the short code. */
  partyB: digits.optional(),
  /** The operator for payouts, inquiries and reversals. Absent: payins only. */
  initiator: z
    .strictObject({
      name: z.string().min(1),
      password: z.string().min(1),
      /** Safaricom's certificate or public key in PEM, with which the password is encrypted. */
      certificate: z.string().refine(isPublicKey, 'no RSA certificate or public key in PEM'),
      /** The short code for payouts, if it differs. */
      shortCode: digits.optional(),
      commandId: z.enum(['BusinessPayment', 'SalaryPayment', 'PromotionPayment']).default('BusinessPayment'),
    })
    .optional(),
  baseUrl: baseUrlSchema('https://api.safaricom.co.ke'),
  /** Codes of the gateway, which passed nothing on to M-PESA. */
  gateCodes: z.array(z.string()).default(['500.003.02', '500.003.03']),
  /** How long after an inquiry its answer counts as verified. */
  answerWindowMs: z.int().min(60_000).default(900_000),
})
export type MpesaCredentials = z.infer<typeof mpesaCredentials>
export type Initiator = NonNullable<MpesaCredentials['initiator']>
