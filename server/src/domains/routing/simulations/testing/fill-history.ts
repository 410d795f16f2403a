import type pg from 'pg'

interface Fill {
  orgId: string
  payments: number
  from: Date
  to: Date
  /** For each account, its provider and how many of a hundred payments succeed at it. */
  accounts: readonly { accountId: string; provider: string; percent: number }[]
}

const chunk = 50_000

/** Card payins spread evenly over the time and the accounts, each of which could have carried every one of them. */
export async function fillHistory(
  owner: pg.Pool,
  { orgId, payments, from, to, accounts }: Fill,
): Promise<void> {
  const considered = accounts.map(({ accountId, provider }) => ({
    provider,
    accountId,
    configId: accountId,
    custody: 'pooled',
    taken: true,
    reason: 'fits',
  }))
  const routing = JSON.stringify({ candidates: considered, considered })
  const client = await owner.connect()
  try {
    // The triggers would only prepare the search and the statistics of these payments.
    await client.query('set session_replication_role = replica')
    for (let begin = 0; begin < payments; begin += chunk)
      await client.query(insertChunk, [
        orgId,
        begin,
        Math.min(begin + chunk, payments) - 1,
        from,
        (to.getTime() - from.getTime()) / payments / 1_000,
        routing,
        accounts.map(({ accountId }) => accountId),
        accounts.map(({ provider }) => provider),
        accounts.map(({ percent }) => percent),
      ])
  } finally {
    client.release(true)
  }
  await owner.query('vacuum analyze payments, attempts')
}

const insertChunk = `
  with made as (
    select gen_random_uuid() as payment_id, n % cardinality($7::uuid[]) + 1 as slot,
           $4::timestamptz + n * $5::float8 * interval '1 second' as at, abs(hashint4(n)) % 100 as draw
    from generate_series($2::integer, $3::integer) n
  ), paid as (
    insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
      target_currency, target_amount_minor, status, version, private_sealed, card, metadata, routing, request_id, created_at)
    select $1, payment_id, 'u', 'inbound', 'card', 'NG', 'NGN', 100000 + draw, 'NGN', 100000 + draw, 'completed', 1, '',
      '{"brand": "visa", "first6": "424242"}', '{"customer_type": "business"}', $6::jsonb, 'fill', at from made
  )
  insert into attempts (org_id, payment_id, attempt_no, provider, account_id, custody, config_id, reference, state,
    outcome_code, cost_minor, cost_currency, deadline_at, created_at, updated_at)
  select $1, payment_id, 1, ($8::text[])[slot], ($7::uuid[])[slot], 'pooled', gen_random_uuid(), gen_random_uuid(),
    case when draw < ($9::integer[])[slot] then 'succeeded' else 'declined' end,
    case when draw < ($9::integer[])[slot] then null else 'CARD_DECLINED' end,
    1500, 'NGN', at, at, at + interval '3 seconds' from made`
