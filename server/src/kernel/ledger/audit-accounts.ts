import { sql } from 'kysely'
import { eventsKeptFrom, type Check, type Violation } from './audit-check.ts'

/** Checks both directions: each balance row is the sum of its transfers, and each guarded account has a row. */
const guardedSums = sql<Violation>`
  with sides as (
    select org_id, debit_account as account, currency,
           case phase when 'posted' then -amount_minor when 'pending' then -amount_minor
                      when 'void' then amount_minor else 0 end as available,
           case phase when 'pending' then amount_minor when 'posted' then 0 else -amount_minor end as held
    from ledger_transfers where debit_account like 'va:%'
    union all
    select org_id, credit_account, currency,
           case when phase in ('posted', 'post') then amount_minor else 0 end, 0
    from ledger_transfers where credit_account like 'va:%'
  ),
  sums as (
    select org_id, account, currency, sum(available) as available, sum(held) as held
    from sides group by org_id, account, currency
  )
  select coalesce(b.account, s.account) as subject,
         format('the row has %s available and %s held, its transfers sum to %s and %s %s',
           b.available_minor, b.held_minor, s.available, s.held, s.currency) as problem
  from guarded_balances b full join sums s
    on s.org_id = b.org_id and s.account = b.account and s.currency = b.currency
  where b.account is null
     or b.available_minor <> coalesce(s.available, 0) or b.held_minor <> coalesce(s.held, 0)
     or b.available_minor < 0 or b.held_minor < 0`

/** Entries are numbered without a gap, each balance follows from the one before, and the last one is the balance. */
const runningBalances = sql<Violation>`
  with entries as (
    select *, row_number() over w as place, coalesce(lag(balance_after_minor) over w, 0) as balance_before,
           lead(entry_no) over w is null as is_last
    from virtual_transactions where entry_no is not null
    window w as (partition by org_id, account_id order by entry_no)
  )
  select account_id::text as subject,
         format('entry %s at place %s takes %s to %s by a %s of %s', entry_no, place, balance_before,
           balance_after_minor, type, amount_minor) as problem
  from entries
  where entry_no <> place
     or balance_after_minor <> balance_before + case type when 'credit' then amount_minor else -amount_minor end
  union all
  select b.account, format('the balance is %s after %s entries, the last of %s is %s',
           b.available_minor + b.held_minor, b.entry_count, e.entry_no, e.balance_after_minor)
  from guarded_balances b left join entries e
    on e.org_id = b.org_id and 'va:' || e.account_id = b.account and e.is_last
  where b.entry_count <> coalesce(e.entry_no, 0)
     or b.available_minor + b.held_minor <> coalesce(e.balance_after_minor, 0)`

const bookedEvents = sql<Violation>`
  select coalesce(t.transaction_id, e.event_id)::text as subject,
         case when e.event_id is null then 'a booked transaction has no event'
              when t.transaction_id is null then 'an event has no booked transaction'
              else 'the event of a booked transaction differs from it' end as problem
  from (select * from virtual_transactions where entry_no is not null) t
  full join (
    -- An event that was sent by hand has itself as its resource.
    select * from events
    where event_type in ('virtual_account.deposit', 'virtual_account.withdrawal') and resource_id <> event_id
  ) e
    on e.org_id = t.org_id and e.resource_id = t.account_id and e.sequence = t.entry_no
  where t.transaction_id is null or (e.event_id is null and t.transaction_id >= ${eventsKeptFrom})
     or e.event_type <> case t.type when 'credit' then 'virtual_account.deposit' else 'virtual_account.withdrawal' end
     or e.data::jsonb ->> 'transaction_id' <> t.transaction_id::text`

/** A withdrawal has the same id as its payment. */
const withdrawals = sql<Violation>`
  select p.payment_id::text as subject,
         'the payment is ' || p.status || ', the withdrawal is ' || coalesce(t.status, 'missing') as problem
  from payments p left join virtual_transactions t
    on t.org_id = p.org_id and t.transaction_id = p.payment_id and t.account_id = p.funding_account_id
  where p.funding_account_id is not null and t.status is distinct from case
    when p.status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending') then 'pending'
    when p.status = 'completed' then 'completed'
    when p.status = 'refunded' then 'reversed'
    else 'failed' end`

const suspense = sql<Violation>`
  with under_review as (
    select org_id, currency, sum(amount_minor) as amount from (
      select org_id, currency, amount_minor from suspended_deposits where status = 'open'
      union all
      select org_id, held_currency, held_minor from exceptions where status = 'open' and held_minor is not null
    ) parts group by org_id, currency
  ),
  held as (
    select org_id, currency, sum(amount) as amount from (
      select org_id, currency, amount_minor as amount from ledger_transfers where credit_account = 'suspense'
      union all
      select org_id, currency, -amount_minor from ledger_transfers where debit_account = 'suspense'
    ) sides group by org_id, currency
  )
  select coalesce(h.org_id, d.org_id)::text as subject,
         format('suspense holds %s, but %s %s is under manual review', h.amount, d.amount,
           coalesce(h.currency, d.currency)) as problem
  from held h full join under_review d on d.org_id = h.org_id and d.currency = h.currency
  where coalesce(h.amount, 0) <> coalesce(d.amount, 0)`

export const accountChecks: readonly Check[] = [
  {
    promise: 'a guarded balance is the sum of its transfers',
    about: 'guarded_balances',
    violations: guardedSums,
  },
  { promise: 'statement entries have no gap', about: 'virtual_transactions', violations: runningBalances },
  { promise: 'a booked transaction has its event', about: 'virtual_transactions', violations: bookedEvents },
  { promise: 'the status of a withdrawal matches its payment', about: 'payments', violations: withdrawals },
  {
    promise: 'suspense equals what is under manual review',
    about: 'suspended_deposits',
    violations: suspense,
  },
]
