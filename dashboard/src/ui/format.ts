import type { Decimal } from '@switchyard/sdk'
import { active } from '../messages/active.ts'

const fiatCode = /^[A-Z]{3}$/

/** Formatters are expensive to create, and a list needs the same ones in every row. */
function keep<Options, Formatter>(
  Formats: new (locale: string, options: Options) => Formatter,
): (options: Options) => Formatter {
  const cache = new Map<string, Formatter>()
  return (options) => {
    const { locale } = active()
    const key = `${locale} ${JSON.stringify(options)}`
    const formatter = cache.get(key) ?? new Formats(locale, options)
    cache.set(key, formatter)
    return formatter
  }
}

const numbers = keep<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat)
const moments = keep<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat)

/** Intl formats decimal text exactly. Crypto has no currency style, so its digits are shown as they are. */
export function formatAmount(amount: Decimal, currency: string): string {
  const [, fraction = ''] = plainText(amount).split('.')
  const least = fractionDigits(currency)
  const digits = Math.max(least, fraction.replace(/0+$/, '').length)
  return numbers({
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  }).format(asNumeric(amount))
}

/** For sentences. In right-to-left text the amount is isolated, because it is read from left to right. */
export function formatMoney(amount: Decimal, currency: string): string {
  const text = `${formatAmount(amount, currency)} ${currency}`
  return active().direction === 'rtl' ? `\u2066${text}\u2069` : text
}

/** The currency's number of decimals: 0 for JPY and UGX, 3 for KWD. */
function fractionDigits(currency: string): number {
  if (!fiatCode.test(currency)) return 2
  const { maximumFractionDigits } = numbers({ style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

export const formatCount = (count: number): string => numbers({}).format(count)

export const formatShare = (share: Decimal): string =>
  numbers({
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(asNumeric(share))

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const formatMoment = (moment: string): string =>
  moments({
    day: '2-digit',
    month: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    ...(new Date(moment).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  }).format(new Date(moment))

export const formatClock = (moment: string): string =>
  moments({
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(moment))

/** To the millisecond, for lists that show the day and the time zone elsewhere. */
export const formatTime = (moment: string): string =>
  moments({
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(new Date(moment))

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** The duration in its two largest units, such as `6h 12m`. */
export function formatDuration(ms: number): string {
  const first = units.findIndex(([, length]) => ms >= length)
  if (first === -1) return formatUnit(Math.round(ms), 'millisecond')
  const parts: string[] = []
  let left = ms
  for (const [unit, length] of units.slice(first, first + 2)) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(formatUnit(count, unit))
  }
  return parts.join(' ')
}

const formatUnit = (count: number, unit: string): string =>
  numbers({ style: 'unit', unit, unitDisplay: 'narrow' }).format(count)

export const formatDay = (moment: string): string => moments({ dateStyle: 'full' }).format(new Date(moment))

export const formatList = (words: Iterable<string>): string =>
  new Intl.ListFormat(active().locale).format(words)

/** A list without an “and”. */
export const formatSeries = (words: readonly string[]): string =>
  words.join(active().language === 'ar' ? '، ' : ', ')

/** The name of a country by its code; any other text is returned as it is. */
export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code)
    ? (new Intl.DisplayNames(active().locale, { type: 'region' }).of(code) ?? code)
    : code

export const formatMomentExactly = (moment: string): string =>
  moments({
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(moment))

export const formatMomentInFull = (moment: string): string =>
  moments({ dateStyle: 'full', timeStyle: 'long' }).format(new Date(moment))

const plainText = (amount: Decimal): string => (/[eE]/.test(amount) ? String(Number(amount)) : amount)

/** TypeScript types decimal text as a template literal; the server sends nothing else. */
const asNumeric = (amount: Decimal): `${number}` => amount as `${number}`
