import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { Capability } from '../kit/connector.ts'
import type { Network } from '../kit/lists.ts'
import { capabilitiesIn, marketsOf, marketsSchema } from '../kit/markets.ts'
import { notFoundWindowSchema } from '../kit/not-found-window.ts'

const mobileMoneySchema = z.record(
  z.string().length(2),
  z.strictObject({
    currency: z.string().length(3),
    chargeType: z.string().min(1),
    /** Maps the network code of charges to that of transfers. */
    networks: z.record(z.string(), z.string()),
  }),
)
type MobileMoneyMarkets = z.infer<typeof mobileMoneySchema>

/** Lines such as `GH GHS mobile_money_ghana MTN`; `in/out` if charges and transfers use different codes. */
const mobileMoneyOf = (text: string): MobileMoneyMarkets =>
  Object.fromEntries(
    [...text.matchAll(/^ *(\w+) (\w+) (\w+) (.+)$/gm)].map(
      ([, country, currency = '', chargeType = '', list = '']) => {
        const words = list.split(' ').map((word) => word.split('/'))
        const networks = Object.fromEntries(words.map(([payin = '', payout = payin]) => [payin, payout]))
        return [country, { currency, chargeType, networks }]
      },
    ),
  )

const defaultMobileMoney = `
  GH GHS mobile_money_ghana MTN VODAFONE AIRTELTIGO
  KE KES mpesa SAFARICOM/MPS
  UG UGX mobile_money_uganda MTN AIRTEL
  RW RWF mobile_money_rwanda MTN AIRTEL
  TZ TZS mobile_money_tanzania AIRTEL TIGO HALOPESA VODACOM
  ZM ZMW mobile_money_zambia MTN/MPS AIRTEL/MPS ZAMTEL/MPS
  CM XAF mobile_money_franco MTN ORANGE/ORANGEMONEY
  CI XOF mobile_money_franco MTN ORANGE MOOV WAVE
  SN XOF mobile_money_franco ORANGE/ORANGEMONEY WAVE`
const defaultCards = 'NG:NGN,USD GH:GHS KE:KES,USD UG:UGX RW:RWF TZ:TZS ZM:ZMW ZA:ZAR'
const defaultBankPayouts = 'NG:NGN GH:GHS KE:KES UG:UGX TZ:TZS RW:RWF ZA:ZAR'

/** The README lists the defaults that the provider has not confirmed. */
export const flutterwaveCredentials = z.strictObject({
  secretKey: z.string().min(1),
  /** The "secret hash" of the dashboard, which every webhook contains. */
  secretHash: z.string().min(1),
  /** Absent: customers enter cards on Flutterwave's page. */
  cardKeys: z.strictObject({ publicKey: z.string().min(1), encryptionKey: z.string().length(24) }).optional(),
  baseUrl: baseUrlSchema('https://api.flutterwave.com/v3'),
  notFoundFinalAfterMs: notFoundWindowSchema,
  mobileMoney: mobileMoneySchema.default(mobileMoneyOf(defaultMobileMoney)),
  cards: marketsSchema.default(marketsOf(defaultCards)),
  bankTransfers: marketsSchema.default({ NG: ['NGN'] }),
  bankPayouts: marketsSchema.default(marketsOf(defaultBankPayouts)),
  /** Banks in these countries need a branch, which our API calls `sort_code`. */
  branchCountries: z.array(z.string()).default(['GH', 'UG', 'TZ', 'RW']),
  /** The sender, which Flutterwave requires for payouts to M-PESA. */
  sender: z
    .strictObject({ sender: z.string(), sender_country: z.string(), mobile_number: z.string() })
    .optional(),
  /** Lower-case words in a refusal which mean that the one-time password was wrong. */
  wrongOtpWords: z
    .array(z.string())
    .default(['incorrect otp', 'invalid otp', 'wrong otp', 'token incorrect']),
})
export type FlutterwaveCredentials = z.infer<typeof flutterwaveCredentials>

export function capabilitiesOf({ mobileMoney, ...markets }: FlutterwaveCredentials): Capability[] {
  const wallets = Object.entries(mobileMoney).map(([country, { currency }]) => [country, [currency]])
  return [
    ...capabilitiesIn(Object.fromEntries(wallets), 'mobile_money', ['payin', 'payout']),
    ...capabilitiesIn(markets.cards, 'card', ['payin']),
    ...capabilitiesIn(markets.bankTransfers, 'bank_transfer', ['payin']),
    ...capabilitiesIn(markets.bankPayouts, 'bank_transfer', ['payout']),
  ]
}

/** Flutterwave v3 does not list networks, so they are configuration. */
export function networksOf(markets: MobileMoneyMarkets, country: string): Network[] {
  const { networks = {}, currency = '' } = markets[country] ?? {}
  const terms = { country, currency, directions: ['payin', 'payout'], status: 'operational' } as const
  return Object.keys(networks).map((network) => ({ network, name: network, ...terms }))
}
