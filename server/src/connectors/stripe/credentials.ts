import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { Capability } from '../kit/connector.ts'
import { euCountries, words } from '../kit/markets.ts'

const cardCountries = [...euCountries, ...words('AU CA CH GB HK JP LI NO NZ SG US')]
/** Only currencies for which Stripe uses the minor units of ISO 4217. */
const isoCurrencies = words('AUD CAD CHF CZK DKK EUR GBP HKD HUF JPY NOK NZD PLN RON SEK SGD USD')
/** Countries in which Stripe opens virtual accounts for EUR. */
export const eurAccountCountries = ['BE', 'DE', 'ES', 'FR', 'IE', 'NL'] as const

export const stripeCredentials = z.strictObject({
  secretKey: z.string().min(1),
  /** There are several during a rotation of the endpoint's secret. */
  webhookSecrets: z.array(z.string().min(1)).min(1).max(5),
  baseUrl: baseUrlSchema('https://api.stripe.com'),
  /** Files have a host of their own. */
  filesUrl: baseUrlSchema('https://files.stripe.com'),
  apiVersion: z.string().min(1).default('2026-10-28.endive'),
  /** Absent: direct if the request contains a card, otherwise hosted. */
  cardMode: z.enum(['direct', 'hosted']).optional(),
  cardCountries: z.array(z.string().length(2)).min(1).default(cardCountries),
  cardCurrencies: z.array(z.string().length(3)).min(1).default(isoCurrencies),
  /** For payers in an EU country without virtual accounts. */
  eurAccountCountry: z.enum(eurAccountCountries).default('DE'),
  notFoundFinalAfterMs: z.int().min(600_000).default(3_600_000),
  /** Pages of a hundred: with more payments in five minutes, "not found" cannot be proved. */
  lookUpPages: z.int().min(1).max(1_000).default(100),
})
export type StripeCredentials = z.infer<typeof stripeCredentials>

const payin = { direction: 'payin', idempotency: 'header' } as const

export const capabilitiesOf = ({ cardCountries, cardCurrencies }: StripeCredentials): Capability[] => [
  { ...payin, method: 'card', countries: cardCountries, currencies: cardCurrencies },
  { ...payin, method: 'bank_transfer', countries: ['GB'], currencies: ['GBP'] },
  { ...payin, method: 'bank_transfer', countries: euCountries, currencies: ['EUR'] },
]
