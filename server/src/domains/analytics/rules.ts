export const spanLimitDays = 366
const defaultSpanDays = 30
const dayMs = 24 * 60 * 60_000

export interface Span {
  /** Local dates, both included. */
  from: string
  to: string
}

const dateIn = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    moment,
  )

/** As the runtime knows them, which is what Postgres knows too. Offsets such as +01:00 are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Days from the one to the other, both counted. */
export const daysIn = ({ from, to }: Span): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs) + 1

/** The last 30 days up to today where neither end is named; 30 days from or up to the one that is. */
export function spanOf(
  named: { from: string | undefined; to: string | undefined },
  now: Date,
  timeZone: string,
): Span {
  const to =
    named.to ?? (named.from === undefined ? dateIn(now, timeZone) : addDays(named.from, defaultSpanDays - 1))
  return { from: named.from ?? addDays(to, 1 - defaultSpanDays), to }
}

/** A share of the whole with so many decimals, as digits, rounded half up; exact for any size. */
export function ratioDigits(part: bigint, whole: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const scaled = (2n * part * scale + whole) / (2n * whole)
  const digits = scaled.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
