import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import type { Envelope } from '../kit/replies.ts'
import { bearer, createReplyClient, jsonBody, type ReplyClient } from '../kit/reply-client.ts'
import { envelopeSchema } from './answers.ts'

/** The README says which of these are facts that nobody has confirmed. */
export const paystackCredentials = z.strictObject({
  secretKey: z.string().min(1),
  baseUrl: baseUrlSchema('https://api.paystack.co'),
  notFoundFinalAfterMs: z.int().min(60_000).default(900_000),
  bankTransferLifetimeMs: z.int().min(60_000).default(3_600_000),
  /** A network's word in `/charge`, where it is not its code of the bank list in small letters. */
  chargeProviders: z.record(z.string(), z.string()).default({}),
  recipientTypes: z
    .record(z.string(), z.string())
    .default({ GH: 'ghipss', KE: 'kepss', NG: 'nuban', ZA: 'basa' }),
  /** Phone numbers of the other countries are written with a plus and the country's code. */
  nationalPhoneCountries: z.array(z.string()).default(['GH']),
  /** Virtual accounts: the domain of the addresses that their customers get, and the bank that keeps them. */
  customerEmailDomain: z.string().min(3).default('accounts.switchyard.example'),
  preferredBank: z.string().optional(),
  /** In a refusal of a one-time password, in small letters: it was wrong and may be tried again. */
  wrongOtpWords: z
    .array(z.string())
    .default(['incorrect otp', 'invalid otp', 'wrong otp', 'invalid voucher']),
})
export type PaystackCredentials = z.infer<typeof paystackCredentials>

export type PaystackClient = ReplyClient

export const createClient = ({ secretKey, baseUrl }: PaystackCredentials, http: HttpClient): PaystackClient =>
  createReplyClient({ http, baseUrl, headers: bearer(secretKey), envelopeOf }, jsonBody)

export const envelopeOf = (body: string): Envelope | undefined => parseAnswer(body, envelopeSchema)
