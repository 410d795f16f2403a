import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import { createBearerClient } from '../kit/bearer-client.ts'
import type { HttpClient, HttpResult } from '../kit/http-client.ts'
import { readReply as readEnveloped, type Reply } from '../kit/replies.ts'
import { envelopeSchema, jsonOf } from './answers.ts'

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

/** With a body it is a POST. */
export type PaystackClient = (path: string, body?: object) => Promise<Reply>

export function createClient(credentials: PaystackCredentials, http: HttpClient): PaystackClient {
  const client = createBearerClient(credentials, http)
  return async (path, body) => readReply(await client(path, body))
}

/** Type, code and message: Paystack's own file has the first two the wrong way round in one place. */
export const readReply = (result: HttpResult): Reply =>
  readEnveloped(result, (text) => {
    const envelope = envelopeSchema.safeParse(jsonOf(text)).data
    if (!envelope) return undefined
    const { status: isSuccess, type, code, message, data, meta } = envelope
    return { isSuccess, words: [type, code, message], data, meta }
  })
