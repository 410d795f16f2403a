import { sql } from 'kysely'
import type { Check, Violation } from './audit-check.ts'

/**
 * The postings of each completed refund, repeated on purpose. One that is paid as it was held posts its hold; all
 * others are posted without one. The excess over the payment is in suspense.
 */
const refundPostings = sql<Violation>`
  with completed as (
    select r.org_id, r.refund_id, r.currency, r.amount_minor - r.excess_minor as booked, r.excess_minor as excess,
           r.debit_currency, r.debit_minor, r.difference_minor, r.debit_currency <> r.currency as is_exchanged,
           case r.custody when 'own' then 'available:own' else 'available' end as available_account,
           'provider:' || r.provider || ':' || r.account_id as provider_account,
           'fx:' || r.currency || '/' || r.debit_currency as exchange_account,
           r.origin = 'api' and not exists (
             select from ledger_transfers t where t.org_id = r.org_id and t.cause_id = r.refund_id
               and t.kind like 'refund%.resolved' and t.phase = 'void') and r.excess_minor = 0 as is_as_held
    from refunds r where r.state = 'completed'
  ),
  expected (org_id, refund_id, kind, debit, credit, currency, amount) as (
    select org_id, refund_id, case when is_as_held then 'refund' else 'refund.elsewhere' end,
           case when is_exchanged then exchange_account else available_account end, provider_account, currency, booked
    from completed
    union all
    select org_id, refund_id, case when is_as_held then 'refund.fx' else 'refund.elsewhere.fx' end,
           available_account, exchange_account, debit_currency, debit_minor
    from completed where is_exchanged
    union all
    select org_id, refund_id, case when is_as_held then 'refund.rate' else 'refund.elsewhere.rate' end,
           case when difference_minor > 0 then available_account else exchange_account end,
           case when difference_minor > 0 then exchange_account else available_account end,
           debit_currency, abs(difference_minor)
    from completed where is_exchanged
    union all
    select org_id, refund_id, 'refund.excess', 'suspense', provider_account, currency, excess from completed
  ),
  posted as (
    select t.org_id, t.cause_id, regexp_replace(t.kind, '\\.resolved$', '') as kind, t.debit_account as debit,
           t.credit_account as credit, t.currency, t.amount_minor as amount
    from ledger_transfers t where t.kind like 'refund%' and t.phase in ('posted', 'post')
  )
  select coalesce(e.refund_id, p.cause_id)::text as subject,
         case when p.cause_id is null then e.kind || ' of a completed refund is not posted'
              when e.refund_id is null then p.kind || ' is posted, and belongs to no completed refund'
              else e.kind || ' is posted with another amount or between other accounts' end as problem
  from (select * from expected where amount > 0) e
  full join posted p on p.org_id = e.org_id and p.cause_id = e.refund_id and p.kind = e.kind
  where e.refund_id is null or p.cause_id is null
     or (p.debit, p.credit, p.currency, p.amount) is distinct from (e.debit, e.credit, e.currency, e.amount)`

/** In total, whatever the transfers are called: the balance pays the booked part at the rate that was locked. */
const marketPrices = sql<Violation>`
  select r.refund_id::text as subject,
         format('the balance paid %s %s for %s %s, and at the locked rate it is %s', coalesce(paid.amount, 0),
           r.debit_currency, r.amount_minor - r.excess_minor, r.currency,
           ceil((r.amount_minor - r.excess_minor) * r.market_rate)) as problem
  from refunds r
  left join lateral (
    select sum(case when t.debit_account like 'available%' then t.amount_minor else -t.amount_minor end) as amount
    from ledger_transfers t
    where t.org_id = r.org_id and t.cause_id = r.refund_id and t.phase in ('posted', 'post')
      and (t.debit_account like 'available%' or t.credit_account like 'available%')
  ) paid on true
  where r.state = 'completed' and r.market_rate is not null
    and coalesce(paid.amount, 0) <> ceil((r.amount_minor - r.excess_minor) * r.market_rate)`

export const returnChecks: readonly Check[] = [
  {
    promise: 'a refund is posted exactly if it is completed',
    about: 'refunds',
    violations: refundPostings,
  },
  {
    promise: 'a refund at the market rate cost the balance what that rate says',
    about: 'refunds',
    violations: marketPrices,
  },
]
