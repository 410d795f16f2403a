import { z } from 'zod'
import { countryCode, dateTime, ok, success, uuid } from '../../../../lib/requests/wire.ts'
import type { Counts } from '../record.ts'
import { quantileMs } from '../rules.ts'
import type { History, HistoryFilter, RouteHistory } from './record.ts'
import { defaultSpanMs, longestSpanMs, routeSuccessRate, sumCounts } from './rules.ts'

const text = z.string().min(1).max(40)

export const historyQuery = z
  .object({
    from: dateTime.optional().meta({ description: 'By default as far back from `to` as the size suggests.' }),
    to: dateTime.optional().meta({ description: 'By default now.' }),
    bucket: z
      .enum(['minute', 'hour', 'day'])
      .default('hour')
      .meta({ description: 'Minutes are kept for 3 days, hours for 100.' }),
    provider: text.optional(),
    account_id: uuid.optional(),
    direction: z.enum(['payin', 'payout']).optional(),
    payment_method: text.optional(),
    country: countryCode.optional(),
    card_brand: text.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    path: ['to'],
    message: 'must be after from',
  })

/** Undefined if the span is longer than the size of the buckets allows. */
export function fromQuery(query: z.infer<typeof historyQuery>, now: Date): HistoryFilter | undefined {
  const to = query.to === undefined ? now : new Date(query.to)
  const from =
    query.from === undefined ? new Date(to.getTime() - defaultSpanMs[query.bucket]) : new Date(query.from)
  if (to.getTime() - from.getTime() > longestSpanMs[query.bucket]) return undefined
  return {
    from,
    to,
    bucket: query.bucket,
    provider: query.provider,
    accountId: query.account_id,
    direction: query.direction,
    method: query.payment_method,
    country: query.country,
    cardBrand: query.card_brand,
  }
}

const decimal = z.number().meta({ format: 'decimal' })

const counts = {
  attempts: z.int().meta({ description: 'Attempts whose first answer came in this time.' }),
  succeeded: z.int(),
  customer_declines: z.int().meta({
    description: 'Refused because of the customer or their account, such as a wrong PIN. Not in the rate.',
  }),
  provider_declines: z.int().meta({ description: 'Refused by the issuer, the network or the provider.' }),
  failed: z.int().meta({ description: 'The provider failed to process them.' }),
  not_sent: z.int().meta({ description: 'The provider could not be reached.' }),
  unknown: z.int().meta({ description: 'The outcome was unknown for a while.' }),
  success_rate: decimal
    .nullable()
    .meta({ description: 'Of the attempts that ended for another reason than the customer; from 0 to 1.' }),
  median_ms: z.int().nullable().meta({
    description: 'From the start of an attempt to its outcome, the customer’s time included.',
  }),
  p95_ms: z.int().nullable(),
}

const routeHealth = z
  .object({
    provider: z.string(),
    account_id: uuid,
    direction: z.enum(['payin', 'payout']),
    payment_method: z.string(),
    country: z.string(),
    health: z.enum(['healthy', 'degraded', 'down']).meta({ description: 'At the moment.' }),
    since: dateTime.nullable().meta({ description: 'Null if it has never changed.' }),
    is_in_maintenance: z.boolean(),
    totals: z.object(counts),
    buckets: z.array(z.object({ start: dateTime, ...counts })),
  })
  .meta({ id: 'RouteHealth' })

export const historyResponse = success(
  z.object({
    from: dateTime,
    to: dateTime,
    bucket: z.enum(['minute', 'hour', 'day']),
    routes: z.array(routeHealth),
    is_truncated: z
      .boolean()
      .meta({ description: 'There are more buckets than one answer holds. Choose a shorter span.' }),
  }),
)

const toCounts = (of: Counts) => ({
  attempts: of.answered,
  succeeded: of.succeeded,
  customer_declines: of.customerDeclines,
  provider_declines: of.providerDeclines,
  failed: of.failed,
  not_sent: of.notSent,
  unknown: of.unknown,
  success_rate: routeSuccessRate(of),
  median_ms: quantileMs(of.latencies, 1 / 2),
  p95_ms: quantileMs(of.latencies, 95 / 100),
})

const toRoute = (route: RouteHistory): z.input<typeof routeHealth> => ({
  provider: route.provider,
  account_id: route.accountId,
  direction: route.direction,
  payment_method: route.method,
  country: route.country,
  health: route.health,
  since: route.since?.toISOString() ?? null,
  is_in_maintenance: route.isInMaintenance,
  totals: toCounts(sumCounts(route.rows)),
  buckets: route.rows.map((row) => ({ start: row.bucketStart.toISOString(), ...toCounts(row) })),
})

export const toHistory = ({ filter, routes, isTruncated }: History): z.input<typeof historyResponse> =>
  ok('How the attempts of each account went, by corridor.', {
    from: filter.from.toISOString(),
    to: filter.to.toISOString(),
    bucket: filter.bucket,
    routes: routes.map(toRoute),
    is_truncated: isTruncated,
  })
