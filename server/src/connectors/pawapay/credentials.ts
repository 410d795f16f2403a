import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import { marketsOf, marketsSchema } from '../kit/markets.ts'
import { notFoundWindowSchema } from '../kit/not-found-window.ts'

const minuteMs = 60_000

/** pawaPay's markets by ISO 3166 alpha-2. Only an account's `active-conf` is authoritative. */
const defaultMarkets = `
  BJ:XOF BF:XOF CD:CDF,USD CG:XAF CI:XOF CM:XAF ET:ETB GA:XAF GH:GHS KE:KES
  LS:LSL MW:MWK MZ:MZN NG:NGN RW:RWF SL:SLE SN:XOF TZ:TZS UG:UGX ZM:ZMW`

const signingSchema = z.strictObject({
  keyId: z.string().min(1),
  algorithm: z.enum(['ecdsa-p256-sha256', 'ecdsa-p384-sha384', 'rsa-pss-sha512', 'rsa-v1_5-sha256']),
  privateKeyPem: z.string().startsWith('-----BEGIN'),
})

/** The README lists the defaults that the provider has not confirmed. */
export const pawapayCredentials = z.strictObject({
  apiToken: z.string().min(1),
  baseUrl: baseUrlSchema('https://api.pawapay.io'),
  callbacks: z.enum(['signed', 'unsigned']).default('signed'),
  /** Signs our requests, for accounts that accept only signed ones. */
  signing: signingSchema.optional(),
  timeoutMs: z.int().min(1).max(minuteMs).optional(),
  markets: marketsSchema.default(marketsOf(defaultMarkets)),
  redirectNetworks: z.array(z.string()).default(['WAVE_CIV', 'WAVE_SEN']),
  notFoundFinalAfterMs: notFoundWindowSchema,
  callbackMaxAgeMs: z
    .int()
    .min(minuteMs)
    .default(15 * minuteMs),
})

export type PawapayCredentials = z.infer<typeof pawapayCredentials>
