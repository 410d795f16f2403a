import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { Sums, TrendRow, CountryRow } from './record.ts'

interface SumRow {
  payments: string
  completed: string
  failed: string
  amount: string
  completedAmount: string
}

const toSums = (row: SumRow): Sums => ({
  payments: BigInt(row.payments),
  completed: BigInt(row.completed),
  failed: BigInt(row.failed),
  amountMinor: BigInt(row.amount),
  completedMinor: BigInt(row.completedAmount),
})

const sums = sql`sum(payments)::text as payments, sum(completed)::text as completed, sum(failed)::text as failed,
  sum(amount_minor)::text as amount, sum(completed_minor)::text as "completedAmount"`

const values = sql`payments, completed, failed, amount_minor, completed_minor`
const midnightOf = sql`date_bin('1 day', at + interval '12 hours', '2000-01-01 00:00:00+00')`

type OrgFilter = RawBuilder<unknown>
const only = (orgId: string): OrgFilter => sql`org_id = ${orgId}`
const all: OrgFilter = sql`true`

/** `offset 0` makes the planner use the index per range instead of joining all rollups with all ranges. */
const rollupsIn = (
  org: OrgFilter,
  grain: string,
  begin: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
) => sql`
  (select currency, ${values} from payment_rollups
   where ${org} and grain = ${grain} and bucket_start >= ${begin} and bucket_start < ${end}
   offset 0) r`

/** The hours between each local midnight and the nearest UTC midnight, which daily rollups cannot split. */
const partials = (org: OrgFilter) => sql`
    partials as materialized (
      select date, currency, direction * payments as payments, direction * completed as completed,
             direction * failed as failed, direction * amount_minor as amount_minor,
             direction * completed_minor as completed_minor
      from anchored cross join lateral (
        select * from ${rollupsIn(org, 'hour', sql`least(midnight, full_hour)`, sql`greatest(midnight, full_hour)`)}
        union all
        select * from ${rollupsIn(org, 'quarter', sql`least(at, full_hour)`, sql`greatest(at, full_hour)`)}
      ) part
    )`

interface DaySpan {
  from: string
  until: string
  timeZone: string
}

export const selectTrends = (tx: Tx, orgId: string, span: DaySpan): Promise<TrendRow[]> =>
  trendsOf(tx, only(orgId), span)

export const selectTrendsAcrossOrgs = (tx: Tx, span: DaySpan): Promise<TrendRow[]> => trendsOf(tx, all, span)

/**
 * A local day is the UTC days between its ends, adjusted by the hours between local and UTC midnight: about thirty
 * rows instead of ninety-six. Deltas are added in the same statement, so that both have one snapshot.
 */
async function trendsOf(tx: Tx, org: OrgFilter, span: DaySpan): Promise<TrendRow[]> {
  const { rows } = await sql<SumRow & { date: string; currency: string }>`
    with boundaries as (
      select day::date as date, day at time zone ${span.timeZone} as at
      from generate_series(${span.from}::timestamp, ${span.until}::timestamp, interval '1 day') day
    ), anchored as materialized (
      select date, at, ${midnightOf} as midnight,
        case when at >= ${midnightOf} then 1 else -1 end as direction,
        date_bin('1 hour', case when at >= ${midnightOf} then at else at + interval '45 minutes' end,
          '2000-01-01 00:00:00+00') as full_hour
      from boundaries
    ), ${partials(org)}, parts as (
      select date, currency, ${values}
      from (select date, midnight, lead(midnight) over (order by date) as next_midnight from anchored) whole
      cross join lateral ${rollupsIn(org, 'day', sql`midnight`, sql`next_midnight`)}
      union all
      select date - 1, currency, ${values} from partials
      union all
      select date, currency, -payments, -completed, -failed, -amount_minor, -completed_minor from partials
      union all
      select (bucket_start at time zone ${span.timeZone})::date, currency, ${values}
      from payment_deltas where ${org}
    )
    select date::text as date, currency, ${sums}
    from parts where date >= ${span.from}::date and date < ${span.until}::date
    group by parts.date, currency having sum(payments) > 0 order by parts.date, currency`.execute(tx.db)
  return rows.map((row) => ({ date: row.date, currency: row.currency, ...toSums(row) }))
}

export const selectCountries = (tx: Tx, orgId: string): Promise<CountryRow[]> => countriesOf(tx, only(orgId))

export const selectCountriesAcrossOrgs = (tx: Tx): Promise<CountryRow[]> => countriesOf(tx, all)

async function countriesOf(tx: Tx, org: OrgFilter): Promise<CountryRow[]> {
  const { rows } = await sql<SumRow & { country: string; currency: string }>`
    select country, currency, ${sums}
    from (
      select country, currency, payments, completed, failed, amount_minor, completed_minor
      from country_rollups where ${org}
      union all
      select country, currency, payments, completed, failed, amount_minor, completed_minor
      from payment_deltas where ${org}
    ) parts
    group by 1, 2 having sum(payments) > 0 order by 1, 2`.execute(tx.db)
  return rows.map((row) => ({ country: row.country, currency: row.currency, ...toSums(row) }))
}

interface CountryUsers {
  country: string | null
  users: bigint
}

export async function countUsersByCountry(tx: Tx, orgId: string): Promise<CountryUsers[]> {
  return tx.db
    .selectFrom('members')
    .select((select) => ['country', select.fn.countAll<bigint>().as('users')])
    .where('org_id', '=', orgId)
    .groupBy('country')
    .execute()
}

/** A person who belongs to several organisations counts once in each country that they gave. */
export async function countUsersByCountryAcrossOrgs(tx: Tx): Promise<CountryUsers[]> {
  return tx.db
    .selectFrom('members')
    .select((select) => ['country', select.fn.count<bigint>('user_id').distinct().as('users')])
    .groupBy('country')
    .execute()
}

/**
 * Moves deltas into the rollups in one statement, so that each counts once. Concurrent runs take different deltas
 * and update the rollups in the same order. Returns how many were moved.
 */
export async function foldDeltasAcrossOrgs(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ taken: bigint }>`
    with due as (
      select org_id, delta_id from payment_deltas order by org_id, delta_id limit ${limit} for update skip locked
    ), taken as (
      delete from payment_deltas d using due where d.org_id = due.org_id and d.delta_id = due.delta_id
      returning d.*
    ), trends as (
      insert into payment_rollups as r
        (org_id, grain, bucket_start, currency, payments, completed, failed, amount_minor, completed_minor)
      select org_id, grain, start, currency, sum(payments), sum(completed), sum(failed), sum(amount_minor),
             sum(completed_minor)
      from taken cross join lateral (values
        ('quarter', bucket_start),
        ('hour', date_bin('1 hour', bucket_start, '2000-01-01 00:00:00+00')),
        ('day', date_bin('1 day', bucket_start, '2000-01-01 00:00:00+00'))
      ) as bucket (grain, start)
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (org_id, grain, bucket_start, currency) do update set
        payments = r.payments + excluded.payments, completed = r.completed + excluded.completed,
        failed = r.failed + excluded.failed, amount_minor = r.amount_minor + excluded.amount_minor,
        completed_minor = r.completed_minor + excluded.completed_minor
    ), countries as (
      insert into country_rollups as r
        (org_id, country, currency, payments, completed, failed, amount_minor, completed_minor)
      select org_id, country, currency, sum(payments), sum(completed), sum(failed), sum(amount_minor),
             sum(completed_minor)
      from taken group by 1, 2, 3 order by 1, 2, 3
      on conflict (org_id, country, currency) do update set
        payments = r.payments + excluded.payments, completed = r.completed + excluded.completed,
        failed = r.failed + excluded.failed, amount_minor = r.amount_minor + excluded.amount_minor,
        completed_minor = r.completed_minor + excluded.completed_minor
    )
    select count(*) as taken from taken`.execute(tx.db)
  return Number(rows[0]?.taken ?? 0n)
}
