import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { Capability } from '../kit/connector.ts'
import { euCountries, words } from '../kit/markets.ts'

const otherCardCountries = words('AU CA CH GB HK IS JP LI NO NZ SG US')
const cardCurrencies = words('AUD CAD CHF CZK DKK EUR GBP HKD HUF ISK JPY NOK NZD PLN RON SEK SGD USD')

/** Hexadecimal, as in the Customer Area. There are several during a key rotation. */
const hmacKeys = z.array(z.stringFormat('hex', /^([0-9a-f]{2}){16,64}$/i)).nonempty()

/** The README lists the defaults that the provider has not confirmed. */
export const adyenCredentials = z.strictObject({
  apiKey: z.string().min(1),
  merchantAccount: z.string().min(1),
  hmacKeys,
  /** The merchant's prefix of the live host. Absent: `checkoutUrl`. */
  liveUrlPrefix: z.stringFormat('prefix', /^[\w-]+$/).optional(),
  checkoutUrl: baseUrlSchema('https://checkout-test.adyen.com/v72'),
  /** Live accounts have it on `ca-live.adyen.com`. */
  disputesUrl: baseUrlSchema('https://ca-test.adyen.com/ca/services/DisputeService/v30'),
  /** Absent: direct if the request contains a card, otherwise hosted. */
  cardMode: z.enum(['direct', 'hosted']).optional(),
  cardCountries: z.array(z.string().length(2)).default([...euCountries, ...otherCardCountries]),
  cardCurrencies: z.array(z.string().length(3)).default(cardCurrencies),
  /** The number of decimals of currencies for which Adyen deviates from ISO 4217. */
  ownExponents: z.record(z.string().length(3), z.int().min(0)).default({ CLP: 2, CVE: 0, IDR: 0, ISK: 2 }),
  /** The balance platform has separate keys. Absent: no payouts. */
  transfers: z
    .strictObject({
      apiKey: z.string().min(1),
      balanceAccountId: z.string().min(1),
      hmacKeys,
      baseUrl: baseUrlSchema('https://balanceplatform-api-test.adyen.com/btl/v4'),
      priority: z.enum(['regular', 'fast', 'instant', 'wire', 'crossBorder']).default('fast'),
      signatureHeader: z.string().min(1).toLowerCase().default('hmacsignature'),
      /** The name on the business accounts that are opened as virtual accounts. Absent: none are opened. */
      accountHolder: z.string().min(1).optional(),
      accountCurrencies: z.array(z.enum(['EUR', 'GBP', 'USD'])).default(['EUR', 'GBP', 'USD']),
      accountsUrl: baseUrlSchema('https://balanceplatform-api-test.adyen.com/bcl/v2'),
    })
    .optional(),
  notFoundFinalAfterMs: z.int().min(600_000).default(3_600_000),
  /** How long to wait for the webhook of a paid link, which alone contains what a refund needs. */
  webhookGraceMs: z.int().default(900_000),
})
export type AdyenCredentials = z.infer<typeof adyenCredentials>
export type Transfers = NonNullable<AdyenCredentials['transfers']>

/** Undefined unless business accounts may be opened. */
export function accountHolderOf({ transfers }: AdyenCredentials) {
  const { accountHolder } = transfers ?? {}
  return transfers && accountHolder !== undefined ? { ...transfers, accountHolder } : undefined
}

export const checkoutUrlOf = ({ checkoutUrl, liveUrlPrefix: prefix }: AdyenCredentials): string =>
  prefix === undefined ? checkoutUrl : `https://${prefix}-checkout-live.adyenpayments.com/checkout/v72`

export function capabilitiesOf({ transfers, cardMode, ...cards }: AdyenCredentials) {
  const payout = { direction: 'payout', method: 'bank_transfer', idempotency: 'header' } as const
  // A link can be looked up; a card payment cannot.
  const lookUp = cardMode === 'hosted' ? 'provider_id' : 'none'
  const card = { ...payout, direction: 'payin', method: 'card', lookUp } as const
  const capabilities: Capability[] = [
    { ...card, countries: cards.cardCountries, currencies: cards.cardCurrencies },
    { ...payout, countries: ['GB'], currencies: ['GBP'] },
    { ...payout, countries: euCountries, currencies: ['EUR'] },
  ]
  return capabilities.filter(({ direction }) => direction === 'payin' || transfers !== undefined)
}
