import { localeOf, type Language } from './languages.ts'

/** The value is decimal text, never a float. */
export interface Amount {
  value: string
  currency: string
}

/** Symbols that are unambiguous here, although some languages write `£GB` or `UK£`. */
const ownSymbols: Readonly<Record<string, string>> = { GBP: '£', GHS: 'GH₵', NGN: '₦' }
/** Countries with their own pound, where `£` alone is ambiguous. */
const otherPounds = new Set(['EG', 'FK', 'GI', 'LB', 'SD', 'SH', 'SS', 'SY'])

/** `country` is the payer's country. */
export function formatAmount(language: Language, { value, currency }: Amount, country?: string): string {
  const isAmbiguous = currency === 'GBP' && otherPounds.has(country ?? '')
  const symbol = isAmbiguous ? undefined : ownSymbols[currency]
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    currencyDisplay: symbol === undefined ? 'symbol' : 'narrowSymbol',
  })
  // Decimal text is accepted and keeps every digit, but the type only allows numbers.
  const parts = format.formatToParts(value as unknown as number)
  return parts.map((part) => (part.type === 'currency' ? (symbol ?? part.value) : part.value)).join('')
}

interface Rate {
  from: string
  to: string
  rate: string
}

/** A rate below one is inverted: `1 GBP = 1,941.94 NGN` is easier to read than `1 NGN = 0.000514949 GBP`. */
export function readableRate(language: Language, { from, to, rate }: Rate): Rate {
  const format = new Intl.NumberFormat(localeOf(language), { maximumSignificantDigits: 6 })
  const value = Number(rate)
  return value < 1 && value > 0
    ? { from: to, to: from, rate: format.format(1 / value) }
    : { from, to, rate: format.format(value) }
}

export const formatMoment = (language: Language, iso: string): string =>
  new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(iso)) + ' UTC'

export const formatCountry = (language: Language, country: string): string =>
  new Intl.DisplayNames([localeOf(language)], { type: 'region' }).of(country) ?? country

/** Formats `202015` as `20-20-15`; any other text is returned as it is. */
export const formatSortCode = (code: string): string => {
  const digits = code.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? (digits.match(/\d{2}/g) ?? []).join('-') : code
}

export const formatIban = (iban: string): string =>
  iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
