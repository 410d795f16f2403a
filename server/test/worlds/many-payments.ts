import type pg from 'pg'
import { formatMinor } from '../../src/lib/money/money.ts'
import type { Json } from '../app/test-app.ts'

const chunk = 100_000

/** Payments of one organisation over a year, in six countries and currencies, in every status. */
export async function fillPayments(
  owner: pg.Pool,
  fill: { orgId: string; count: number; from: string },
): Promise<void> {
  for (let begin = 0; begin < fill.count; begin += chunk)
    await owner.query(
      `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
         target_currency, target_amount_minor, status, version, private_sealed, routing, request_id, created_at, updated_at)
       select $1, gen_random_uuid(), 'u', 'inbound', 'card', place.country, place.currency, 1 + (n * 7919::bigint) % 1000003,
         place.currency, 1, (array['completed','completed','completed','failed','rejected','refunded','processing','canceled'])[1 + n % 8],
         1, '', '{}', 'fill', moment, moment
       from generate_series($2::int, $3::int) n
       cross join lateral (select $4::timestamptz + ((n * 104729::bigint) % 31536000) * interval '1 second' as moment) at
       cross join lateral (select (array['NG','KE','GH','UG','GB','SN'])[1 + n % 6] as country,
         (array['NGN','KES','GHS','UGX','GBP','XOF'])[1 + n % 6] as currency) place`,
      [fill.orgId, begin + 1, Math.min(begin + chunk, fill.count), fill.from],
    )
}

const figures = `count(*)::int as count, sum(amount_minor)::text as volume,
  (count(*) filter (where status in ('completed', 'refunded')))::int as completed,
  coalesce(sum(amount_minor) filter (where status in ('completed', 'refunded')), 0)::text as completed_volume,
  (count(*) filter (where status in ('failed', 'rejected')))::int as failed`

const toMajor = (row: Json): Json => ({
  ...row,
  volume: formatMinor(BigInt(row.volume), row.currency),
  completed_volume: formatMinor(BigInt(row.completed_volume), row.currency),
})

/** The expected sums, computed from the payments instead of the rollups. */
export async function bruteTrends(
  owner: pg.Pool,
  span: { orgId: string; from: string; to: string; timeZone: string },
): Promise<Json[]> {
  const { rows } = await owner.query(
    `select (created_at at time zone $4)::date::text as date, currency, ${figures} from payments
     where org_id = $1 and (created_at at time zone $4)::date between $2 and $3 group by 1, 2 order by 1, 2`,
    [span.orgId, span.from, span.to, span.timeZone],
  )
  return rows.map(toMajor)
}

export async function bruteCountries(owner: pg.Pool, orgId: string): Promise<Json[]> {
  const { rows } = await owner.query(
    `select country, currency, ${figures} from payments where org_id = $1 group by 1, 2 order by 1, 2`,
    [orgId],
  )
  return rows.map(toMajor)
}

/** Parses an answer and keeps amounts as text, because a double might lose digits. */
export const parseExactly = (text: string): Json =>
  JSON.parse(text, (key, value: unknown, context?: { source?: string }) =>
    (key === 'volume' || key === 'completed_volume') && context?.source !== undefined
      ? context.source
      : value,
  )

/** The row without its derived columns. */
export const comparable = ({ success_rate: _rate, ...row }: Json): Json => row
