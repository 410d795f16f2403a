import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import type { Envelope } from '../kit/replies.ts'
import { bearer, createReplyClient, jsonBody, type ReplyClient } from '../kit/reply-client.ts'
import { envelopeSchema } from './answers.ts'
import { notFoundWindowSchema } from '../kit/not-found-window.ts'

/** The README lists the defaults that the provider has not confirmed. */
export const paystackCredentials = z.strictObject({
  secretKey: z.string().min(1),
  baseUrl: baseUrlSchema('https://api.paystack.co'),
  notFoundFinalAfterMs: notFoundWindowSchema,
  bankTransferLifetimeMs: z.int().min(60_000).default(3_600_000),
  /** The network's code in `/charge`, if it is not the lower-case code of the bank list. */
  chargeProviders: z.record(z.string(), z.string()).default({}),
  recipientTypes: z
    .record(z.string(), z.string())
    .default({ GH: 'ghipss', KE: 'kepss', NG: 'nuban', ZA: 'basa' }),
  /** Phone numbers of all other countries have a plus and the country code. */
  nationalPhoneCountries: z.array(z.string()).default(['GH']),
  /** For virtual accounts: the domain of their customers' e-mail addresses, and the bank. */
  customerEmailDomain: z.string().min(3).default('accounts.switchyard.example'),
  preferredBank: z.string().optional(),
  /** Lower-case words in a refusal which mean that the one-time password was wrong. */
  wrongOtpWords: z
    .array(z.string())
    .default(['incorrect otp', 'invalid otp', 'wrong otp', 'invalid voucher']),
})
export type PaystackCredentials = z.infer<typeof paystackCredentials>
export type PaystackClient = ReplyClient
export const createClient = ({ secretKey, baseUrl }: PaystackCredentials, http: HttpClient): PaystackClient =>
  createReplyClient({ http, baseUrl, headers: bearer(secretKey), envelopeOf }, jsonBody)

export const envelopeOf = (body: string): Envelope | undefined => parseAnswer(body, envelopeSchema)
