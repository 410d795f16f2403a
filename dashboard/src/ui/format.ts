import type { Decimal } from '@switchyard/sdk'

const fiatCode = /^[A-Z]{3}$/

/** Intl formats decimal text exactly. Crypto has no currency style, so it gets the digits that it has. */
export function formatAmount(amount: Decimal, currency: string, locale = 'en'): string {
  const [, fraction = ''] = plainText(amount).split('.')
  const least = fractionDigits(currency)
  const digits = Math.max(least, fraction.replace(/0+$/, '').length)
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  }).format(asNumeric(amount))
}

/** As many as the currency has: 0 for JPY and UGX, 3 for KWD. */
function fractionDigits(currency: string): number {
  if (!fiatCode.test(currency)) return 2
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

export const formatCount = (count: number): string => new Intl.NumberFormat('en').format(count)

export const formatShare = (share: Decimal): string =>
  new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(asNumeric(share))

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const formatMoment = (moment: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: '2-digit',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(new Date(moment).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  }).format(new Date(moment))

export const formatClock = (moment: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }).format(
    new Date(moment),
  )

/** To the millisecond, in lists that say day and time zone. */
export const formatTime = (moment: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(new Date(moment))

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** The two greatest units that it has, such as `6 h 12 m`. */
export function formatDuration(ms: number): string {
  const first = units.findIndex(([, length]) => ms >= length)
  if (first === -1) return `${Math.round(ms)} ms`
  const parts: string[] = []
  let left = ms
  for (const [name, length] of units.slice(first, first + 2)) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.join(' ')
}

export const formatMomentExactly = (moment: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(moment))

export const formatMomentInFull = (moment: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' }).format(new Date(moment))

const plainText = (amount: Decimal): string => (/[eE]/.test(amount) ? String(Number(amount)) : amount)

/** TypeScript types the digits of a decimal as a template; the server writes nothing else. */
const asNumeric = (amount: Decimal): `${number}` => amount as `${number}`
