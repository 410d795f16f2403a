import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { latencySlots } from '../rules.ts'
import type { HistoryFilter, HistoryRow } from './record.ts'

const slots = Array.from({ length: latencySlots }, (_none, slot) => slot + 1)
const sums = sql`
  sum(answered)::integer as answered, sum(faults)::integer as faults, sum(succeeded)::integer as succeeded,
  sum(customer_declines)::integer as "customerDeclines", sum(provider_declines)::integer as "providerDeclines",
  sum(failed)::integer as failed, sum(not_sent)::integer as "notSent", sum(unknown)::integer as unknown,
  sum(cost_share) as "costShare", sum(costed)::integer as costed,
  array[${sql.join(slots.map((slot) => sql`sum(latencies[${sql.lit(slot)}])`))}]::integer[] as latencies`

export const selectHistory = (
  tx: Tx,
  orgId: string,
  filter: HistoryFilter,
  limit: number,
): Promise<HistoryRow[]> => select(tx, sql`org_id = ${orgId}`, filter, limit)

export const selectHistoryAcrossOrgs = (
  tx: Tx,
  filter: HistoryFilter,
  limit: number,
): Promise<HistoryRow[]> => select(tx, sql`true`, filter, limit)

/** Days are summed up from hours. */
async function select(
  tx: Tx,
  org: RawBuilder<unknown>,
  filter: HistoryFilter,
  limit: number,
): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select account_id as "accountId", provider, direction, method, country,
           date_bin(${`1 ${filter.bucket}`}::interval, bucket_start, timestamptz '2000-01-01 00:00:00+00') as "bucketStart",
           ${sums}
    from routing_history
    where ${org} and grain = ${filter.bucket === 'minute' ? 'minute' : 'hour'}
      and bucket_start >= ${filter.from} and bucket_start < ${filter.to}
      ${narrowed('provider', filter.provider)} ${narrowed('account_id', filter.accountId)}
      ${narrowed('direction', filter.direction)} ${narrowed('method', filter.method)}
      ${narrowed('country', filter.country)} ${narrowed('card_brand', filter.cardBrand)}
    group by 1, 2, 3, 4, 5, 6
    order by provider, account_id, direction, method, country, 6
    limit ${limit}`.execute(tx.db)
  return rows
}

const narrowed = (column: string, value: string | undefined): RawBuilder<unknown> =>
  value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value}`
