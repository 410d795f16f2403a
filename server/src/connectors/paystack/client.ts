import { z } from 'zod'
import type { HttpClient, HttpResult } from '../kit/http-client.ts'
import { envelopeSchema, jsonOf } from './answers.ts'

/** The README says which of these are facts that nobody has confirmed. */
export const paystackCredentials = z.strictObject({
  secretKey: z.string().min(1),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .default('https://api.paystack.co')
    .transform((url) => url.replace(/\/+$/, '')),
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

export interface Refused {
  kind: 'refused'
  status: number
  /** Type, code and message. Paystack's own file has the first two the wrong way round in one place. */
  words: readonly string[]
  data: unknown
}

export type Reply =
  | { kind: 'handled'; data: unknown; meta: unknown }
  | Refused
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

/** With a body it is a POST. */
export type PaystackClient = (path: string, body?: object) => Promise<Reply>

export function createClient({ secretKey, baseUrl }: PaystackCredentials, http: HttpClient): PaystackClient {
  const authorization = `Bearer ${secretKey}`
  return async (path, body) => {
    const url = `${baseUrl}${path}`
    if (body === undefined) return readReply(await http({ method: 'GET', url, headers: { authorization } }))
    const headers = { authorization, 'content-type': 'application/json' }
    return readReply(await http({ method: 'POST', url, headers, body: JSON.stringify(body) }))
  }
}

/** Only an envelope whose `status` fits the HTTP status is the provider's word. */
export function readReply(result: HttpResult): Reply {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  const envelope = envelopeSchema.safeParse(jsonOf(body)).data
  if (envelope?.status === true && status >= 200 && status < 300) {
    return { kind: 'handled', data: envelope.data, meta: envelope.meta }
  }
  if (envelope?.status === false && status >= 400 && status < 500) {
    const { type, code, message, data } = envelope
    return { kind: 'refused', status, words: [type, code, message], data }
  }
  return { kind: 'unknown', reason: `an answer that cannot be relied on (HTTP ${status})` }
}
