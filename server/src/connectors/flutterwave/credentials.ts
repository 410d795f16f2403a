import { z } from 'zod'
import { baseUrlSchema } from '../kit/base-url.ts'
import type { Capability } from '../kit/connector.ts'
import type { Network } from '../kit/lists.ts'
import { capabilitiesIn, marketsOf, marketsSchema } from '../kit/markets.ts'

const mobileMoneySchema = z.record(
  z.string().length(2),
  z.strictObject({
    currency: z.string().length(3),
    chargeType: z.string().min(1),
    /** By the word for charges: the word for transfers. */
    networks: z.record(z.string(), z.string()),
  }),
)
export type MobileMoneyMarkets = z.infer<typeof mobileMoneySchema>

/** `GH GHS mobile_money_ghana MTN` a line; `in/out` where charges and transfers have two words for a network. */
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

/** The README says which of these are facts that nobody has confirmed. */
export const flutterwaveCredentials = z.strictObject({
  secretKey: z.string().min(1),
  /** The "secret hash" of the dashboard, which comes with every webhook. */
  secretHash: z.string().min(1),
  /** Absent: cards are typed on Flutterwave's own page. */
  cardKeys: z.strictObject({ publicKey: z.string().min(1), encryptionKey: z.string().length(24) }).optional(),
  baseUrl: baseUrlSchema('https://api.flutterwave.com/v3'),
  notFoundFinalAfterMs: z.int().min(60_000).default(900_000),
  mobileMoney: mobileMoneySchema.default(mobileMoneyOf(defaultMobileMoney)),
  cards: marketsSchema.default(marketsOf(defaultCards)),
  bankTransfers: marketsSchema.default({ NG: ['NGN'] }),
  bankPayouts: marketsSchema.default(marketsOf(defaultBankPayouts)),
  /** Their banks want a branch, which our API calls `sort_code`. */
  branchCountries: z.array(z.string()).default(['GH', 'UG', 'TZ', 'RW']),
  /** Who sends: Flutterwave asks for it with payouts to M-PESA. */
  sender: z
    .strictObject({ sender: z.string(), sender_country: z.string(), mobile_number: z.string() })
    .optional(),
  /** In a refusal of a one-time password, in small letters: it was wrong and may be tried again. */
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

/** Flutterwave v3 has no list of them: they are configuration. */
export function networksOf(markets: MobileMoneyMarkets, country: string): Network[] {
  const { networks = {}, currency = '' } = markets[country] ?? {}
  const terms = { country, currency, directions: ['payin', 'payout'], status: 'operational' } as const
  return Object.keys(networks).map((network) => ({ network, name: network, ...terms }))
}
