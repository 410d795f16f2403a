import { localeOf, type Language } from './languages.ts'

/** The value is decimal text, never a float. */
export interface Amount {
  value: string
  currency: string
}

export function formatAmount(language: Language, { value, currency }: Amount): string {
  const format = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency })
  // `format` accepts decimal text and keeps every digit, but its type only allows numbers.
  return format.format(value as unknown as number)
}

export const formatRate = (language: Language, rate: string): string =>
  new Intl.NumberFormat(localeOf(language), { maximumSignificantDigits: 6 }).format(Number(rate))

export const formatMoment = (language: Language, iso: string): string =>
  new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(iso)) + ' UTC'

export const formatCountry = (language: Language, country: string): string =>
  new Intl.DisplayNames([localeOf(language)], { type: 'region' }).of(country) ?? country
