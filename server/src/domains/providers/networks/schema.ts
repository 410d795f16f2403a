import { z } from 'zod'
import { rawNumber } from '../../../lib/text/json.ts'
import { countryCode, ok, success, wireDecimal } from '../../../lib/requests/wire.ts'
import type { NetworkRow } from './record.ts'

const directions = z.enum(['payin', 'payout'])

export const listNetworksBody = z.object({
  country: countryCode,
  currency: z.string().length(3).optional(),
  direction: directions.optional(),
  payment_method: z.literal('mobile_money').optional(),
})

const network = z
  .object({
    provider: z.string().meta({ description: 'Use it as mobile_money_details.provider.' }),
    name: z.string(),
    country: z.string(),
    currency: z.string(),
    payment_method: z.literal('mobile_money'),
    directions: z.array(directions),
    min_amount: wireDecimal.nullable(),
    max_amount: wireDecimal.nullable(),
    status: z.enum(['operational', 'delayed', 'closed']),
  })
  .meta({ id: 'Network' })

export const networkList = success(z.array(network)).extend({ count: z.int() })

const rank = { operational: 0, delayed: 1, closed: 2 } as const
const decimal = (text: string) => rawNumber(text.includes('.') ? text : `${text}.0`)

/** Merges the connectors' networks per brand and currency, in the best state that any of them reports. */
export function toNetworkList(
  rows: readonly NetworkRow[],
  filter: z.infer<typeof listNetworksBody>,
): z.input<typeof networkList> {
  const groups = Map.groupBy(
    rows.filter((row) => filter.currency === undefined || row.currency === filter.currency),
    (row) => `${row.brand} ${row.currency}`,
  )
  const data = [...groups.values()]
    .map(toNetwork)
    .filter((entry) => filter.direction === undefined || entry.directions.includes(filter.direction))
  return { ...ok('Networks that can be used in this country.', data), count: data.length }
}

function toNetwork(rows: NetworkRow[]): z.input<typeof network> {
  const states = rows.map((row) => network.shape.status.parse(row.status))
  const [first] = rows
  if (!first) throw new Error('a group has at least one row')
  const minimums = rows.flatMap((row) => (row.minAmount === null ? [] : [Number(row.minAmount)]))
  const maximums = rows.flatMap((row) => (row.maxAmount === null ? [] : [Number(row.maxAmount)]))
  return {
    provider: first.brand,
    name: first.name,
    country: first.country,
    currency: first.currency,
    payment_method: 'mobile_money',
    directions: z.array(directions).parse([...new Set(rows.flatMap((row) => row.directions))].sort()),
    min_amount: minimums.length === 0 ? null : decimal(String(Math.min(...minimums))),
    max_amount: maximums.length === 0 ? null : decimal(String(Math.max(...maximums))),
    status: states.toSorted((a, b) => rank[a] - rank[b])[0] ?? 'closed',
  }
}
