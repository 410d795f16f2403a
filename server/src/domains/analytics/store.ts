import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

export interface Sums {
  payments: bigint
  completed: bigint
  failed: bigint
  amountMinor: bigint
  completedMinor: bigint
}

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

export interface TrendRow extends Sums {
  date: string
  currency: string
}

/**
 * What is folded and what is not yet, in one statement and so of one moment. Quarters of an hour are made into
 * days first, while they are few to look up, then added.
 */
export async function selectTrends(
  tx: Tx,
  orgId: string,
  span: { from: string; until: string; timeZone: string },
): Promise<TrendRow[]> {
  const { rows } = await sql<SumRow & { date: string; currency: string }>`
    with span as (
      select ${span.from}::timestamp at time zone ${span.timeZone} as begins,
             ${span.until}::timestamp at time zone ${span.timeZone} as ends
    ), buckets as (
      select bucket_start, currency, payments, completed, failed, amount_minor, completed_minor
      from payment_rollups, span
      where org_id = ${orgId} and bucket_start >= begins and bucket_start < ends
      union all
      select bucket_start, currency, payments, completed, failed, amount_minor, completed_minor
      from payment_deltas, span
      where org_id = ${orgId} and bucket_start >= begins and bucket_start < ends
    )
    select (bucket_start at time zone ${span.timeZone})::date::text as date, currency, ${sums}
    from buckets group by 1, 2 having sum(payments) > 0 order by 1, 2`.execute(tx.db)
  return rows.map((row) => ({ date: row.date, currency: row.currency, ...toSums(row) }))
}

export interface CountryRow extends Sums {
  country: string
  currency: string
}

export async function selectCountries(tx: Tx, orgId: string): Promise<CountryRow[]> {
  const { rows } = await sql<SumRow & { country: string; currency: string }>`
    select country, currency, ${sums}
    from (
      select country, currency, payments, completed, failed, amount_minor, completed_minor
      from country_rollups where org_id = ${orgId}
      union all
      select country, currency, payments, completed, failed, amount_minor, completed_minor
      from payment_deltas where org_id = ${orgId}
    ) parts
    group by 1, 2 having sum(payments) > 0 order by 1, 2`.execute(tx.db)
  return rows.map((row) => ({ country: row.country, currency: row.currency, ...toSums(row) }))
}

export async function countUsersByCountry(
  tx: Tx,
  orgId: string,
): Promise<{ country: string | null; users: bigint }[]> {
  return tx.db
    .selectFrom('members')
    .select((select) => ['country', select.fn.countAll<bigint>().as('users')])
    .where('org_id', '=', orgId)
    .groupBy('country')
    .execute()
}

/**
 * Takes some deltas away and adds them to the rollups, all or nothing, so each counts once. Two that fold at
 * once take different ones, and touch the rollups in the same order. Gives how many were taken.
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
        (org_id, bucket_start, currency, payments, completed, failed, amount_minor, completed_minor)
      select org_id, bucket_start, currency, sum(payments), sum(completed), sum(failed), sum(amount_minor),
             sum(completed_minor)
      from taken group by 1, 2, 3 order by 1, 2, 3
      on conflict (org_id, bucket_start, currency) do update set
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
