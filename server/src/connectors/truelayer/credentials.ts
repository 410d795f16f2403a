import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { Capability } from '../kit/connector.ts'
import { euCountries } from '../kit/markets.ts'

function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'secp521r1'
  } catch {
    return false
  }
}

/** The README lists the defaults that the provider has not confirmed. */
export const truelayerCredentials = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** The private key whose public part was uploaded, and TrueLayer's id of it. */
  signingKey: z.string().refine(isSigningKey, 'must be a PEM of a private key on the curve P-521'),
  signingKeyId: z.string().min(1),
  /** By currency, the merchant account for payins, payouts and refunds. */
  merchantAccounts: z
    .partialRecord(z.enum(['GBP', 'EUR']), z.string().min(1))
    .refine((accounts) => Object.keys(accounts).length > 0, 'must name an account'),
  baseUrl: baseUrlSchema('https://api.truelayer.com'),
  authUrl: baseUrlSchema('https://auth.truelayer.com'),
  /** The only address from which keys are fetched, whatever address a webhook contains. */
  jwksUrl: baseUrlSchema('https://webhooks.truelayer.com/.well-known/jwks'),
  webhookMaxAgeMs: z.int().min(60_000).default(900_000),
  payoutScheme: z.enum(['instant_only', 'instant_preferred']).default('instant_preferred'),
})
export type TruelayerCredentials = z.infer<typeof truelayerCredentials>

const found = { lookUp: 'provider_id', idempotency: 'header' } as const

export function capabilitiesOf({ merchantAccounts }: TruelayerCredentials): Capability[] {
  const markets = [
    { countries: ['GB'], currencies: ['GBP'] },
    { countries: euCountries, currencies: ['EUR'] },
  ].filter(({ currencies: [currency = ''] }) => accountOf({ merchantAccounts }, currency) !== undefined)
  return (['payin', 'payout'] as const).flatMap((direction) =>
    markets.map((market) => ({ direction, method: 'bank_transfer', ...found, ...market })),
  )
}

export const accountOf = (
  { merchantAccounts }: Pick<TruelayerCredentials, 'merchantAccounts'>,
  currency: string,
): string | undefined => Object.entries(merchantAccounts).find(([name]) => name === currency)?.[1]
