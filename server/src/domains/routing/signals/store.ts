import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { Bucket } from './record.ts'
import { bucketMs, customerCodes, faultCodes, latencyBoundsMs, latencySlots } from './rules.ts'

/** The start is included and the end is not. */
interface Span {
  from: Date
  to: Date
}

const epoch = sql`timestamptz '2000-01-01 00:00:00+00'`
const bucketOf = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`date_bin(${`${bucketMs} milliseconds`}::interval, ${column}, ${epoch})`

const judgedColumns = sql`org_id, payment_id, attempt_no, account_id, provider, state, state_changes, outcome_code,
  cost_minor, cost_currency, created_at, ended_at`

/** Each answer and each end of an attempt in the span, with its verdict on the provider; one row if they coincide. */
const judgedIn = ({ from, to }: Span): RawBuilder<unknown> => sql`
  happened as (
    select ${judgedColumns}, answered_at as at, true as is_answer, ended_at is not distinct from answered_at as is_end
    from attempts where answered_at >= ${from} and answered_at < ${to}
    union all
    select ${judgedColumns}, ended_at as at, false as is_answer, true as is_end
    from attempts where ended_at >= ${from} and ended_at < ${to} and ended_at is distinct from answered_at
  ), judged as materialized (
    select a.org_id, a.at, a.is_answer, a.is_end, a.account_id, a.provider,
           case p.direction when 'inbound' then 'payin' else 'payout' end as direction,
           p.payment_method as method, p.country, coalesce(p.card ->> 'brand', '') as card_brand,
           coalesce(a.state_changes -> 0 ->> 'state', a.state) as first_state,
           case when a.state in ('succeeded', 'not_sent') then a.state
                when a.outcome_code = any(${faultCodes}::text[]) then 'failed'
                when a.outcome_code is null or a.outcome_code = any(${customerCodes}::text[]) then 'customer'
                else 'provider' end as outcome,
           case a.cost_currency when p.currency then a.cost_minor / p.amount_minor
                                when p.target_currency then a.cost_minor / p.target_amount_minor end as cost_share,
           width_bucket(extract(epoch from a.ended_at - a.created_at) * 1000, ${latencyBoundsMs}::numeric[]) as slot,
           a.attempt_no = 1 and coalesce((p.routing -> 'decision' ->> 'isExploration')::boolean, false) as explores
    from happened a join payments p on p.org_id = a.org_id and p.payment_id = a.payment_id
    where p.direction in ('inbound', 'outbound')
  )`

/** A provider that has accepted an attempt can still fail to process it. */
const isFault = sql`
  case when is_answer then first_state in ('unknown', 'not_sent')
                           or (first_state in ('declined', 'failed') and outcome = 'failed')
       else outcome = 'failed' and first_state in ('accepted', 'unknown') end`

const slots = Array.from({ length: latencySlots }, (_none, slot) => slot)
const key = sql`account_id, direction, method, country, card_brand`
const counts = sql`answered, faults, succeeded, customer_declines, provider_declines, failed, not_sent, unknown,
  cost_share, costed, latencies`

const counted = sql`
  count(*) filter (where is_answer) as answered,
  count(*) filter (where ${isFault}) as faults,
  count(*) filter (where is_end and outcome = 'succeeded') as succeeded,
  count(*) filter (where is_end and outcome = 'customer') as customer_declines,
  count(*) filter (where is_end and outcome = 'provider') as provider_declines,
  count(*) filter (where is_end and outcome = 'failed') as failed,
  count(*) filter (where is_end and outcome = 'not_sent') as not_sent,
  count(*) filter (where is_answer and first_state = 'unknown') as unknown,
  coalesce(sum(cost_share) filter (where is_end), 0) as cost_share,
  count(cost_share) filter (where is_end) as costed,
  array[${sql.join(slots.map((slot) => sql`count(*) filter (where is_end and outcome <> 'not_sent' and slot = ${sql.lit(slot)})`))}]::integer[] as latencies`

const summed = sql`
  sum(answered), sum(faults), sum(succeeded), sum(customer_declines), sum(provider_declines), sum(failed),
  sum(not_sent), sum(unknown), sum(cost_share), sum(costed),
  array[${sql.join(slots.map((slot) => sql`sum(latencies[${sql.lit(slot + 1)}])`))}]::integer[]`

/** Writes only what differs: most passes count the same attempts again. */
const replaceCounts = (table: string): RawBuilder<unknown> => sql`
  do update set answered = excluded.answered, faults = excluded.faults, succeeded = excluded.succeeded,
    customer_declines = excluded.customer_declines, provider_declines = excluded.provider_declines,
    failed = excluded.failed, not_sent = excluded.not_sent, unknown = excluded.unknown,
    cost_share = excluded.cost_share, costed = excluded.costed, latencies = excluded.latencies
  where (${sql.raw(table)}.answered, ${sql.raw(table)}.latencies, ${sql.raw(table)}.faults, ${sql.raw(table)}.not_sent,
         ${sql.raw(table)}.succeeded, ${sql.raw(table)}.unknown, ${sql.raw(table)}.cost_share)
    is distinct from (excluded.answered, excluded.latencies, excluded.faults, excluded.not_sent, excluded.succeeded,
         excluded.unknown, excluded.cost_share)`

const intoBuckets = sql`
  insert into org_routing_buckets (org_id, bucket_start, ${key}, provider, ${counts})
  select org_id, ${bucketOf(sql`at`)}, ${key}, min(provider), ${counted} from judged group by 1, 2, 3, 4, 5, 6, 7
  on conflict (org_id, bucket_start, ${key}) ${replaceCounts('org_routing_buckets')}`

const intoExplorations = sql`
  insert into routing_explorations (org_id, bucket_start, explorations)
  select org_id, ${bucketOf(sql`at`)}, count(*) from judged where is_answer and explores group by 1, 2
  on conflict (org_id, bucket_start) do update set explorations = excluded.explorations
  where routing_explorations.explorations <> excluded.explorations`

const intoMinutes = sql`
  insert into routing_history (org_id, grain, bucket_start, ${key}, provider, ${counts})
  select org_id, 'minute', date_bin('1 minute', at, ${epoch}), ${key}, min(provider), ${counted}
  from judged group by 1, 2, 3, 4, 5, 6, 7, 8
  on conflict (org_id, grain, bucket_start, ${key}) ${replaceCounts('routing_history')}`

/** Counts the span anew, so that a second run changes nothing. The span consists of whole buckets. */
export async function foldBucketsAcrossOrgs(tx: Tx, span: Span): Promise<void> {
  await sql`with ${judgedIn(span)}, explored as (${intoExplorations}) ${intoBuckets}`.execute(tx.db)
}

/** As `foldBucketsAcrossOrgs`, and the minutes of each organisation. The span consists of whole minutes. */
export async function foldHistoryAcrossOrgs(tx: Tx, span: Span): Promise<void> {
  await sql`with ${judgedIn(span)}, explored as (${intoExplorations}), buckets as (${intoBuckets})
    ${intoMinutes}`.execute(tx.db)
}

/** Sums the minutes of each hour in the span up anew. The span consists of whole hours. */
export async function rollUpHoursAcrossOrgs(tx: Tx, { from, to }: Span): Promise<void> {
  await sql`
    insert into routing_history (org_id, grain, bucket_start, ${key}, provider, ${counts})
    select org_id, 'hour', date_bin('1 hour', bucket_start, ${epoch}), ${key}, min(provider), ${summed}
    from routing_history where grain = 'minute' and bucket_start >= ${from} and bucket_start < ${to}
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (org_id, grain, bucket_start, ${key}) ${replaceCounts('routing_history')}`.execute(tx.db)
}

const bucketColumns = sql`org_id as "orgId", account_id as "accountId", direction, method, country, nullif(card_brand, '') as "cardBrand",
  provider, bucket_start as "bucketStart", answered, faults, succeeded, customer_declines as "customerDeclines",
  provider_declines as "providerDeclines", failed, not_sent as "notSent", unknown, cost_share as "costShare", costed,
  latencies`

export async function selectBucketsAcrossOrgs(tx: Tx, since: Date): Promise<Bucket[]> {
  const { rows } = await sql<Bucket>`
    select ${bucketColumns} from org_routing_buckets where bucket_start >= ${since} order by bucket_start`.execute(
    tx.db,
  )
  return rows
}

export async function deleteBucketsAcrossOrgs(tx: Tx, until: Date): Promise<void> {
  await sql`delete from org_routing_buckets where bucket_start < ${until}`.execute(tx.db)
}

/** Of the many workers, one folds at a time; the others skip the pass. */
export async function tryLockFoldAcrossOrgs(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('routing signals', 0)) as locked`.execute(tx.db)
  return rows[0]?.locked === true
}

export interface Progress {
  foldedUntil: Date
  settledUntil: Date
  thoroughAt: Date
}

export const selectProgressAcrossOrgs = (tx: Tx): Promise<Progress> =>
  tx.db
    .selectFrom('routing_fold_progress')
    .select(['folded_until as foldedUntil', 'settled_until as settledUntil', 'thorough_at as thoroughAt'])
    .executeTakeFirstOrThrow()

export async function updateProgressAcrossOrgs(tx: Tx, progress: Progress): Promise<void> {
  await tx.db
    .updateTable('routing_fold_progress')
    .set({
      folded_until: progress.foldedUntil,
      settled_until: progress.settledUntil,
      thorough_at: progress.thoroughAt,
    })
    .execute()
}

export async function deleteHistoryAcrossOrgs(
  tx: Tx,
  { grain, until, limit }: { grain: 'minute' | 'hour'; until: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from routing_history where ctid = any(array(
      select ctid from routing_history where grain = ${grain} and bucket_start < ${until} limit ${limit}))`.execute(
    tx.db,
  )
  return Number(numAffectedRows ?? 0n)
}

export async function deleteExplorationsAcrossOrgs(tx: Tx, until: Date): Promise<void> {
  await tx.db.deleteFrom('routing_explorations').where('bucket_start', '<', until).execute()
}
