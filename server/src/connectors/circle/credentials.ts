import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { Capability } from '../kit/connector.ts'
import { capabilitiesIn, euCountries, marketsOf, marketsSchema, words } from '../kit/markets.ts'
import { snsSchema } from '../kit/sns.ts'

/** `BASE:BASE ETHEREUM:ETH` */
const named = (text: string) => Object.fromEntries(words(text).map((pair) => pair.split(':')))

/** The README lists the defaults that the provider has not confirmed. */
export const circleCredentials = z.strictObject({
  apiKey: z.string().min(1),
  baseUrl: baseUrlSchema('https://api.circle.com'),
  /** The address of account holders, which Circle requires and our requests lack. */
  holderAddress: z.strictObject({
    line1: z.string().min(1),
    city: z.string().min(1),
    district: z.string().min(1).max(16).optional(),
    postalCode: z.string().min(1).max(16),
    country: z.string().length(2),
  }),
  markets: marketsSchema.default(marketsOf(`US:USD ${euCountries.map((code) => `${code}:EUR`).join(' ')}`)),
  /** By asset, Circle's name of each network. */
  networks: z.record(z.string(), z.record(z.string(), z.string())).default({
    USDC: named(
      'ARBITRUM:ARB AVALANCHE:AVAX BASE:BASE CELO:CELO ETHEREUM:ETH OPTIMISM:OP POLYGON:POLY SOLANA:SOL STELLAR:XLM',
    ),
    EURC: named('AVALANCHE:AVAX BASE:BASE ETHEREUM:ETH SOLANA:SOL'),
  }),
  payoutTypes: z
    .record(z.string().length(3), z.enum(['wire', 'sepa', 'sepa_instant']))
    .default({ USD: 'wire', EUR: 'sepa' }),
  /** How long to wait for a wire before its ramp expires. */
  wireLifetimeMs: z.int().min(3_600_000).default(259_200_000),
  sns: snsSchema(['908968368384']),
})
export type CircleCredentials = z.infer<typeof circleCredentials>

export function capabilitiesOf({ markets, networks }: CircleCredentials): Capability[] {
  const assets = Object.entries(networks).map(([asset, names]) => [asset, Object.keys(names)] as const)
  const [countries, currencies] = [Object.keys(markets), Object.keys(networks)]
  const crypto = { method: 'crypto', countries, currencies, assets: Object.fromEntries(assets) } as const
  const directions = ['payin', 'payout'] as const
  return [
    ...capabilitiesIn(markets, 'bank_transfer', directions),
    ...directions.map((direction) => ({ direction, ...crypto })),
  ].map((capability) => ({ ...capability, lookUp: 'provider_id' }))
}
