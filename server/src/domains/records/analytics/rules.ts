import type { Caller } from '../../../lib/requests/access.ts'
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

/** Zones that the runtime knows, which Postgres knows too. An offset such as +01:00 is not a zone. */
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

export const daysIn = ({ from, to }: Span): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs) + 1

/** Without either end, the last 30 days; with one end, the 30 days that start or finish there. */
export function spanOf(
  named: { from: string | undefined; to: string | undefined },
  now: Date,
  timeZone: string,
): Span {
  const to =
    named.to ?? (named.from === undefined ? dateIn(now, timeZone) : addDays(named.from, defaultSpanDays - 1))
  return { from: named.from ?? addDays(to, 1 - defaultSpanDays), to }
}

/** The decimal digits of part / whole, rounded half up; exact for numbers of any size. */
export function ratioDigits(part: bigint, whole: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const scaled = (2n * part * scale + whole) / (2n * whole)
  const digits = scaled.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The operator sees all organisations together, unless they name one. */
export const coversAll = (caller: Caller, orgId: string | undefined): boolean =>
  orgId === undefined && caller.permissions.has('platform:read')
