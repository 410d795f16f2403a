import type { DeclineReason } from '../../sentinels.ts'

/** The only card data that is stored or shown. */
interface ShownCard {
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
}

export interface CardInput {
  readonly number: string
  readonly exp_month: number
  readonly exp_year: number
}

type Authentication = 'none' | 'succeeds' | 'succeeds_then_declined'

export interface CardVerdict {
  readonly shown: ShownCard
  /** The decline of a documented test card. */
  readonly declineCode: string | undefined
  readonly authentication: Authentication
}

/** Stripe's documented test cards. For any other number, the cents of the amount decide. */
const DECLINED_CARDS: Readonly<Record<string, string>> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000009987': 'lost_card',
  '4000000000009979': 'stolen_card',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
}
const AUTHENTICATED_CARDS: Readonly<Record<string, Authentication>> = {
  '4000000000003220': 'succeeds',
  '4000002760003184': 'succeeds',
  '4000008400001629': 'succeeds_then_declined',
}
export const DECLINE_AFTER_AUTHENTICATION = 'generic_decline'

const BRANDS: readonly (readonly [prefix: RegExp, brand: string])[] = [
  [/^4/, 'visa'],
  [/^(?:5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^6/, 'discover'],
  [/^35/, 'jcb'],
  [/^3/, 'diners'],
]

export function judgeCard(card: CardInput, now: Date): CardVerdict {
  const number = card.number.replaceAll(/[\s-]/g, '')
  const year = card.exp_year < 100 ? 2000 + card.exp_year : card.exp_year
  return {
    shown: {
      brand: BRANDS.find(([prefix]) => prefix.test(number))?.[1] ?? 'unknown',
      last4: number.slice(-4),
      exp_month: card.exp_month,
      exp_year: year,
    },
    declineCode: declineCodeOf(number, new Date(Date.UTC(year, card.exp_month)), now),
    authentication: AUTHENTICATED_CARDS[number] ?? 'none',
  }
}

function declineCodeOf(number: string, expiresAt: Date, now: Date): string | undefined {
  if (!/^\d{12,19}$/.test(number) || !hasValidCheckDigit(number)) return 'incorrect_number'
  if (expiresAt <= now) return 'invalid_expiry_year'
  return DECLINED_CARDS[number]
}

/** Maps to one of the core's three reasons; the answer contains the card's code. */
export function reasonOf(declineCode: string): DeclineReason {
  return declineCode === 'insufficient_funds' ? 'insufficient_funds' : 'declined'
}

function hasValidCheckDigit(number: string): boolean {
  let sum = 0
  for (const [index, digit] of Array.from(number).reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
