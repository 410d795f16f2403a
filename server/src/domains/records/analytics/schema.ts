import countries from 'i18n-iso-countries'
import { z } from 'zod'
import { rawNumber, type RawNumber } from '../../../lib/text/json.ts'
import { wireAmount } from '../../../lib/money/money.ts'
import { ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { Sums, Geography, Trends } from './record.ts'
import { ratioDigits } from './rules.ts'

export const geographyQuery = z.object({ org_id: uuid.optional() })
export const trendsQuery = z.object({
  org_id: uuid.optional(),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
  timeZone: z.string().max(60).default('UTC').meta({ example: 'Africa/Lagos' }),
})

/** Currencies are never added together. */
const figures = {
  currency: z.string(),
  count: z.int(),
  volume: wireDecimal,
  completed: z.int(),
  completed_volume: wireDecimal,
  failed: z.int(),
  success_rate: wireDecimal.nullable(),
}

const trends = z
  .object({
    dateFrom: z.iso.date(),
    dateTo: z.iso.date(),
    timeZone: z.string(),
    series: z.array(z.object({ date: z.iso.date(), ...figures })),
    totals: z.array(z.object(figures)),
  })
  .meta({ id: 'Trends' })

const geography = z
  .object({
    total_users: z.int(),
    countries: z.array(
      z.object({
        country: z.string().nullable(),
        name: z.string(),
        count: z.int(),
        percentage: wireDecimal,
        payments: z.array(z.object(figures)),
      }),
    ),
  })
  .meta({ id: 'GeographicDistribution' })

export const trendsResponse = success(trends)
export const geographyResponse = success(geography)

const rateDecimals = 4
const percentDecimals = 2

const rateOf = (part: bigint, whole: bigint, decimals: number): RawNumber =>
  rawNumber(ratioDigits(part, whole === 0n ? 1n : whole, decimals))

/** The success rate counts ended payments only, and is null while there are none. */
function toFigures(currency: string, sums: Sums) {
  const ended = sums.completed + sums.failed
  return {
    currency,
    count: Number(sums.payments),
    volume: wireAmount(sums.amountMinor, currency),
    completed: Number(sums.completed),
    completed_volume: wireAmount(sums.completedMinor, currency),
    failed: Number(sums.failed),
    success_rate: ended === 0n ? null : rateOf(sums.completed, ended, rateDecimals),
  }
}

const add = (a: Sums, b: Sums): Sums => ({
  payments: a.payments + b.payments,
  completed: a.completed + b.completed,
  failed: a.failed + b.failed,
  amountMinor: a.amountMinor + b.amountMinor,
  completedMinor: a.completedMinor + b.completedMinor,
})

export function toTrends({ from, to, timeZone, series }: Trends): z.input<typeof trendsResponse> {
  const totals = new Map<string, Sums>()
  for (const row of series) {
    const before = totals.get(row.currency)
    totals.set(row.currency, before ? add(before, row) : row)
  }
  return ok('Payments by day and currency.', {
    dateFrom: from,
    dateTo: to,
    timeZone,
    series: series.map((row) => ({ date: row.date, ...toFigures(row.currency, row) })),
    totals: [...totals]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sums]) => toFigures(currency, sums)),
  })
}

const nameOf = (country: string | null): string =>
  country === null ? 'Unknown' : (countries.getName(country, 'en') ?? country)

/** Sorted by users, most first. A country with payments but no users has a count of 0. */
export function toGeography({ users, payments }: Geography): z.input<typeof geographyResponse> {
  const total = users.reduce((sum, row) => sum + row.users, 0n)
  const byCountry = new Map(users.map((row) => [row.country, row.users]))
  for (const { country } of payments) if (!byCountry.has(country)) byCountry.set(country, 0n)
  return ok('Users and payments by country.', {
    total_users: Number(total),
    countries: [...byCountry]
      .sort(([a, usersA], [b, usersB]) => Number(usersB - usersA) || ((a ?? '') < (b ?? '') ? -1 : 1))
      .map(([country, count]) => ({
        country,
        name: nameOf(country),
        count: Number(count),
        percentage: rateOf(count * 100n, total, percentDecimals),
        payments: payments
          .filter((row) => row.country === country)
          .map((row) => toFigures(row.currency, row)),
      })),
  })
}
