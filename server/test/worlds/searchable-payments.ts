import type pg from 'pg'
import { withoutIndexes } from '../sql/without-indexes.ts'

const chunk = 100_000

interface Fill {
  orgId: string
  count: number
  from: string
  /** The newest payment is created this long before now. */
  secondsBetween: number
  /** The terms of a name that one payment in a hundred has. */
  commonTerm: bigint
}

/**
 * Payments in the order of their age, as the API would have written them: mostly completed, with rare statuses,
 * providers and countries, some of them only among the oldest. All values derive from the number `n`.
 */
const payments = `
  insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
    target_currency, target_amount_minor, status, version, provider, client_reference, beneficiary_id, private_sealed,
    routing, description, failure_code, request_id, created_at, updated_at)
  select $1, made.id, 'member-7', way.direction, way.method, place.country, place.currency, 100 + (n * 7919::bigint) % 1000003,
    place.currency, 100 + (n * 7919::bigint) % 1000003, state.status, 3, state.provider, 'order-' || n,
    case when way.direction = 'outbound' then overlay(overlay(md5('beneficiary' || n % 50021)
      placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid end, '',
    '{"candidates":[],"considered":[{"provider":"pawapay","reason":"fits","taken":true,"configId":"x"}]}',
    repeat('A description. ', 14), case when state.status = 'failed' then 'DECLINED' end, 'fill', made.at,
    case when n % 1000 = 3 then made.at + interval '40 days' else made.at + interval '5 seconds' end
  from generate_series($2::bigint, $3::bigint) n
  cross join lateral (select $4::timestamptz + n * $5::float8 * interval '1 second' as at) born
  cross join lateral (select born.at, overlay(overlay(lpad(to_hex((extract(epoch from born.at) * 1000)::bigint), 12, '0') ||
    substr(md5('payment' || n), 1, 20) placing '7' from 13 for 1) placing '8' from 17 for 1)::uuid as id offset 0) made
  cross join lateral (select case when n <= 500 then 'SN' when n % 100 < 60 then 'KE' when n % 100 < 85 then 'NG'
    when n % 100 < 95 then 'UG' when n % 100 < 99 then 'GB' else 'GH' end as code offset 0) land
  cross join lateral (select code as country, case code when 'SN' then 'XOF' when 'KE' then 'KES' when 'NG' then 'NGN'
    when 'UG' then 'UGX' when 'GB' then 'GBP' else 'GHS' end as currency) place
  cross join lateral (select case when n % 5 = 0 then 'outbound' else 'inbound' end as direction,
    case when n % 500001 = 11 then 'crypto' when code = 'GB' then 'card' when code = 'NG' then 'bank_transfer'
      else 'mobile_money' end as method) way
  cross join lateral (select case when n % 200003 = 17 then 'circle' when code in ('NG', 'GH') then 'paystack'
    when code = 'GB' then 'stripe' else 'pawapay' end as provider,
    case when $6::bigint - n < 5000 and n % 2 = 0 then 'pending' when n % 500009 = 1 then 'initiated'
      when n % 100003 = 5 then 'rejected' when n % 1000 < 4 then 'canceled' when n % 100 < 2 then 'refunded'
      when n % 100 < 10 then 'failed' else 'completed' end as status offset 0) state`

const attempts = `
  insert into attempts (org_id, payment_id, attempt_no, provider, account_id, custody, config_id, reference, state,
    provider_ref, deadline_at, created_at, updated_at)
  select org_id, payment_id, 1, coalesce(provider, 'pawapay'), md5('account')::uuid, 'pooled', md5('config')::uuid,
    md5('attempt' || payment_id)::uuid, case when is_open then 'accepted' else 'succeeded' end,
    'ref_' || substr(client_reference, 7), created_at, created_at, updated_at
  from payments where org_id = $1 and created_at > $2 and created_at <= $3`

/** Four terms for each payment: two words of a name, an e-mail address and a phone number. */
const terms = `
  insert into payment_search_terms (org_id, term, created_at, payment_id)
  select org_id, made.term, created_at, payment_id from payments
  cross join lateral (select hashtextextended(payment_id::text, 1) as seed) random
  cross join lateral (values
    (case when abs(seed % 100) = 0 then $4::bigint else hashtextextended('first', abs(seed % 2003)) end),
    (hashtextextended('last', abs(seed % 20011))),
    (hashtextextended('mail', abs(seed % 2000003))), (hashtextextended('phone', abs(seed % 2000003)))) made (term)
  where org_id = $1 and created_at > $2 and created_at <= $3`

const tables = ['payments', 'attempts', 'payment_search_terms']

/** Loads without WAL and builds the indexes afterwards, which takes a fraction of the time. */
export async function fillSearchable(owner: pg.Pool, fill: Fill): Promise<void> {
  const client = await owner.connect()
  try {
    // Triggers would only queue the payments for terms, which are written here.
    await client.query(
      `set session_replication_role = replica; set jit = off; set maintenance_work_mem = '512MB'`,
    )
    for (const table of tables) await client.query(`alter table ${table} set unlogged`)
    await withoutIndexes(client, tables, async () => {
      // The other statements find the payments of a chunk by their age.
      await client.query('create index payments_of_chunk on payments using brin (created_at)')
      await fillTables(client, fill)
      await client.query('drop index payments_of_chunk')
    })
    await client.query(`vacuum (analyze) ${tables.join()}`)
  } finally {
    // The connection keeps its settings, so it must not return to the pool.
    client.release(true)
  }
}

async function fillTables(client: pg.PoolClient, fill: Fill): Promise<void> {
  const momentOf = (n: number): Date => new Date(Date.parse(fill.from) + n * fill.secondsBetween * 1000)
  for (let begin = 0; begin < fill.count; begin += chunk) {
    const end = Math.min(begin + chunk, fill.count)
    const { orgId, from, secondsBetween, count } = fill
    await client.query(payments, [orgId, begin + 1, end, from, secondsBetween, count])
    const span = [orgId, momentOf(begin), momentOf(end)]
    await client.query(`select brin_summarize_new_values('payments_of_chunk')`)
    await client.query(attempts, span)
    await client.query(terms, [...span, fill.commonTerm.toString()])
  }
}
