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

/** The README says which of these are facts that nobody has confirmed. */
export const mpesaCredentials = z.strictObject({
  consumerKey: z.string().min(1),
  consumerSecret: z.string().min(1),
  /** The paybill or till that is paid, and its passkey. */
  shortCode: digits,
  passkey: z.string().min(1),
  transactionType: z.enum([payBill, 'CustomerBuyGoodsOnline']).default(payBill),
  /** Of a till, which is not its store number. Absent: the short code. */
  partyB: digits.optional(),
  /** Who may pay out, ask about it and reverse. Absent: payins only. */
  initiator: z
    .strictObject({
      name: z.string().min(1),
      password: z.string().min(1),
      /** Safaricom's certificate (or its public key) in PEM: the password is sent encrypted with it. */
      certificate: z.string().refine(isPublicKey, 'no RSA certificate or public key in PEM'),
      /** The short code that pays, where it is another one. */
      shortCode: digits.optional(),
      commandId: z.enum(['BusinessPayment', 'SalaryPayment', 'PromotionPayment']).default('BusinessPayment'),
    })
    .optional(),
  baseUrl: baseUrlSchema('https://api.safaricom.co.ke'),
  /** Refused at the gate: nothing was passed on to M-PESA. */
  gateCodes: z.array(z.string()).default(['500.003.02', '500.003.03']),
  /** For how long after asking an answer on the address that we gave for it counts as the provider's word. */
  answerWindowMs: z.int().min(60_000).default(900_000),
})
export type MpesaCredentials = z.infer<typeof mpesaCredentials>
export type Initiator = NonNullable<MpesaCredentials['initiator']>
