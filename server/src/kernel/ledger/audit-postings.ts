import { sql, type RawBuilder } from 'kysely'
import type { Check, Violation } from './audit-check.ts'

/** Repeats the postings of the payment code on purpose: an audit that shares that code would prove nothing. */
const conversionOf = (holder: RawBuilder<unknown>) => sql`
    select org_id, payment_id, 'fx.sold', ${holder}, 'fx:' || currency || '/' || target_currency, currency, amount_minor
    from paid where currency <> target_currency and ${holder} is not null
    union all
    select org_id, payment_id, 'fx.bought', 'fx:' || currency || '/' || target_currency, ${holder},
           target_currency, target_amount_minor
    from paid where currency <> target_currency and ${holder} is not null`

/** Provider, account and custody are taken from the attempt that succeeded, not from the payment. */
const expectedPostings = sql`
  paid as (
    select p.org_id, p.payment_id, p.direction, p.status, p.currency, p.amount_minor, p.target_currency, p.target_amount_minor,
           coalesce('va:' || p.funding_account_id, case p.custody when 'own' then 'available:own' else 'available' end) as funds_account,
           case a.custody when 'own' then 'available:own' else 'available' end as available_account,
           'provider:' || a.provider || ':' || a.account_id as provider_account,
           p.fee_minor, p.fee_currency, p.fee_is_returned, a.cost_minor, a.cost_currency,
           case when coalesce(p.custody, a.custody) = 'own' then 'fees_due' else 'available' end as fee_payer,
           'fx:' || p.currency || '/' || p.target_currency as exchange_account,
           p.currency <> p.target_currency as is_exchanged,
           -- What refunds and disputes had left when the provider took back the payment, and its part of the target amount.
           s.reversed_minor as left_minor,
           p.target_amount_minor
             - div((p.amount_minor - s.reversed_minor) * p.target_amount_minor + p.amount_minor - 1, p.amount_minor)
             as target_left_minor,
           p.status = 'refunded' and p.failure_code is not null as is_taken_back
    from payments p
    left join attempts a on a.org_id = p.org_id and a.payment_id = p.payment_id and a.state = 'succeeded'
    left join payin_sums s on s.org_id = p.org_id and s.payment_id = p.payment_id
    where p.status in ('completed', 'refunded') and p.direction <> 'external'
  ),
  expected (org_id, payment_id, kind, debit, credit, currency, amount) as (
    select org_id, payment_id, 'payin', provider_account, available_account, currency, amount_minor
    from paid where direction = 'inbound'
    union all
    select org_id, payment_id, 'payout.posted', funds_account, 'outgoing', currency, amount_minor
    from paid where direction = 'outbound'
    union all
    select org_id, payment_id, 'payout.returned', provider_account,
           case when is_exchanged then exchange_account else funds_account end, target_currency, target_amount_minor
    from paid where direction = 'outbound' and is_taken_back
    union all
    select org_id, payment_id, 'payout.returned.fx', exchange_account, funds_account, currency, amount_minor
    from paid where direction = 'outbound' and is_taken_back and is_exchanged
    union all
    select org_id, payment_id, 'payin.reversed', case when is_exchanged then exchange_account else available_account end,
           provider_account, currency, left_minor
    from paid where direction = 'inbound' and is_taken_back and left_minor > 0
    union all
    select org_id, payment_id, 'payin.reversed.fx', available_account, exchange_account, target_currency, target_left_minor
    from paid where direction = 'inbound' and is_taken_back and is_exchanged and target_left_minor > 0
    union all
    select org_id, payment_id, 'payout.settled', 'outgoing', provider_account, target_currency, target_amount_minor
    from paid where direction = 'outbound'
    union all
    select org_id, payment_id, 'fee', fee_payer, 'fees', fee_currency, fee_minor
    from paid where fee_minor is not null
    union all
    select org_id, payment_id, 'fee.returned', 'fees', fee_payer, fee_currency, fee_minor
    from paid where fee_is_returned and status = 'refunded'
    union all
    select org_id, payment_id, 'provider.cost', 'provider_costs', provider_account, cost_currency, cost_minor
    from paid where cost_minor is not null
    union all
    ${conversionOf(sql`case direction when 'inbound' then available_account when 'outbound' then 'outgoing' end`)}
  ),
  posted (org_id, payment_id, kind, debit, credit, currency, amount) as (
    select t.org_id, t.cause_id,
           case when t.kind in ('payout.hold.resolved', 'payout.late') then 'payout.posted'
                when t.kind in ('fee.resolved', 'fee.late') then 'fee' else t.kind end,
           t.debit_account, t.credit_account, t.currency, t.amount_minor
    from ledger_transfers t
    join payments p on p.org_id = t.org_id and p.payment_id = t.cause_id
    where t.phase in ('posted', 'post') and t.kind not like 'ramp.%'
  )`

const sumsToZero = sql<Violation>`
  select org_id || ' ' || currency as subject,
         'final ' || sum(amount) filter (where is_final) || ', held ' || sum(amount) filter (where not is_final) as problem
  from (
    select org_id, currency, -amount_minor as amount, phase in ('posted', 'post') as is_final
    from ledger_transfers where debit_account is not null
    union all
    select org_id, currency, amount_minor, phase in ('posted', 'post')
    from ledger_transfers where credit_account is not null
  ) sides
  group by org_id, currency
  having coalesce(sum(amount) filter (where is_final), 0) <> 0
      or coalesce(sum(amount) filter (where not is_final), 0) <> 0`

const holdEnds = sql<Violation>`
  with ends as (
    select *, regexp_replace(kind, '\\.resolved$', '') as hold_kind
    from ledger_transfers where phase in ('post', 'void')
  )
  select e.cause_id::text as subject,
         case when h.cause_id is null then 'a hold that does not exist was ended'
              else 'a hold was ended with another amount or between other accounts' end as problem
  from ends e left join ledger_transfers h
    on h.org_id = e.org_id and h.cause_id = e.cause_id and h.kind = e.hold_kind and h.phase = 'pending'
  where h.cause_id is null
     or (h.debit_account, h.credit_account, h.currency, h.amount_minor)
        is distinct from (e.debit_account, e.credit_account, e.currency, e.amount_minor)
  union all
  select cause_id::text, 'a hold has ' || count(*) || ' ends'
  from ends group by org_id, cause_id, hold_kind having count(*) > 1`

/** Checks both directions: an open hold has an open payout or refund, and each of these has a hold. */
const openHolds = sql<Violation>`
  with held as (
    select h.* from ledger_transfers h
    where h.phase = 'pending' and not exists (
      select from ledger_transfers e
      where e.org_id = h.org_id and e.cause_id = h.cause_id and e.kind = h.kind || '.resolved')
  ),
  open_debits (org_id, cause_id, kind, debit, credit, currency, amount) as (
    select org_id, payment_id, 'payout.hold', coalesce('va:' || funding_account_id,
             case custody when 'own' then 'available:own' else 'available' end), 'outgoing', currency, amount_minor
    from payments where direction = 'outbound' and (status in ('confirmed', 'processing', 'pending')
      or (funding_account_id is not null and status in ('initiated', 'reviewed')))
    union all
    select org_id, payment_id, 'fee', 'available', 'fees', fee_currency, fee_minor
    from payments where direction = 'outbound' and fee_minor is not null and custody is distinct from 'own'
      and (status in ('confirmed', 'processing', 'pending')
        or (funding_account_id is not null and status in ('initiated', 'reviewed')))
    union all
    select org_id, refund_id, case when debit_currency = currency then 'refund' else 'refund.fx' end,
           case custody when 'own' then 'available:own' else 'available' end,
           case when debit_currency = currency then 'provider:' || provider || ':' || account_id
                else 'fx:' || currency || '/' || debit_currency end, debit_currency, debit_minor
    from refunds where origin = 'api' and debit_minor > 0 and state in ('awaiting_approval', 'sending', 'unknown', 'accepted')
    union all
    select org_id, refund_id, 'refund.rate', case custody when 'own' then 'available:own' else 'available' end,
           'fx:' || currency || '/' || debit_currency, debit_currency, difference_minor
    from refunds where difference_minor > 0 and state in ('sending', 'unknown', 'accepted')
  )
  select coalesce(h.cause_id, d.cause_id)::text as subject,
         case when d.cause_id is null then 'an open hold belongs to no open payout or refund'
              when h.cause_id is null then 'an open payout or refund has no open hold'
              else 'a hold is not the amount of its payout or refund' end as problem
  from held h full join open_debits d on d.org_id = h.org_id and d.cause_id = h.cause_id and d.kind = h.kind
  where d.cause_id is null or h.cause_id is null
     or (h.debit_account, h.credit_account, h.currency, h.amount_minor)
        is distinct from (d.debit, d.credit, d.currency, d.amount)`

const completedOnce = sql<Violation>`
  with ${expectedPostings}
  select e.payment_id::text as subject,
         e.kind || ' of ' || e.amount || ' ' || e.currency || ' is posted ' ||
         (select count(*) from posted p where p.payment_id = e.payment_id and p.org_id = e.org_id and p.kind = e.kind) ||
         ' times, correctly ' || count(p.payment_id) || ' times' as problem
  from expected e left join posted p
    on (p.org_id, p.payment_id, p.kind, p.debit, p.credit, p.currency, p.amount)
     = (e.org_id, e.payment_id, e.kind, e.debit, e.credit, e.currency, e.amount)
  group by e.org_id, e.payment_id, e.kind, e.currency, e.amount
  having count(p.payment_id) <> 1`

const nothingElse = sql<Violation>`
  with ${expectedPostings}
  select p.payment_id::text as subject, p.kind || ' of ' || p.amount || ' ' || p.currency || ' is final' as problem
  from posted p
  where not exists (
    select from expected e where e.org_id = p.org_id and e.payment_id = p.payment_id and e.kind = p.kind)`

/** Transfers of escrows and virtual accounts have checks of their own. */
const hasCause = sql<Violation>`
  select t.cause_id::text as subject, t.kind || ' belongs to no payment' as problem
  from ledger_transfers t
  where (t.kind like 'payin%' or t.kind like 'fee%' or t.kind = 'provider.cost' or t.kind like 'payout.%' or t.kind like 'fx.%' or t.kind like 'ramp.%')
    and not exists (select from payments p where p.org_id = t.org_id and p.payment_id = t.cause_id)`

export const postingChecks: readonly Check[] = [
  { promise: 'every currency sums to zero', about: 'ledger_transfers', violations: sumsToZero },
  {
    promise: 'a hold ends at most once, with its own amount and accounts',
    about: 'ledger_transfers',
    violations: holdEnds,
  },
  {
    promise: 'open holds are those of open payouts and refunds',
    about: 'ledger_transfers',
    violations: openHolds,
  },
  { promise: 'every transfer of a payment has its payment', about: 'ledger_transfers', violations: hasCause },
  { promise: 'a completed payment is posted exactly once', about: 'payments', violations: completedOnce },
  { promise: 'nothing else is posted for a payment', about: 'payments', violations: nothingElse },
]
