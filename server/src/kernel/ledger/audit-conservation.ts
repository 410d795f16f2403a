import { sql } from 'kysely'
import type { Check, Violation } from './audit-check.ts'

/**
 * What each payin gave back, from the transfers alone: by the providers' accounts, by suspense, and by the balance. The
 * charges of a dispute are not part of it, although its exchange contains them.
 */
const givenBack = sql`
  causes as (
    select org_id, payment_id, payment_id as cause_id from payments
    where direction = 'inbound' and status in ('completed', 'refunded')
    union all
    select org_id, payment_id, refund_id from refunds
    union all
    select org_id, payment_id, dispute_id from disputes
  ),
  given as (
    select c.org_id, c.payment_id, t.currency, t.amount_minor, t.debit_account, t.credit_account,
           t.credit_account like 'provider:%' as is_out,
           t.debit_account like 'provider:%' as is_in
    from causes c join ledger_transfers t on t.org_id = c.org_id and t.cause_id = c.cause_id
    where t.phase in ('posted', 'post')
      -- The market rate of a refund has a check of its own.
      and t.kind not in ('refund.rate', 'refund.rate.resolved', 'refund.elsewhere.rate')
      and (t.kind like 'refund%' or t.kind like 'payin.reversed%' or t.kind ~ '^dispute\\.(withdrawn|returned|excess|fx)')
  ),
  given_by_payin as (
    select p.org_id, p.payment_id, p.amount_minor, p.target_amount_minor, p.currency <> p.target_currency as is_exchanged,
           sum(case when is_out then g.amount_minor when is_in then -g.amount_minor else 0 end)
             filter (where g.currency = p.currency) as by_provider,
           sum(case when g.debit_account = 'suspense' then g.amount_minor
                    when g.credit_account = 'suspense' then -g.amount_minor else 0 end) as by_suspense,
           coalesce(sum(case when g.debit_account like 'available%' then g.amount_minor
                    when g.credit_account like 'available%' then -g.amount_minor else 0 end)
             filter (where g.currency = p.target_currency), 0) as by_balance
    from given g join payments p on p.org_id = g.org_id and p.payment_id = g.payment_id
    group by p.org_id, p.payment_id
  )`

const beyondCharged = sql<Violation>`
  with ${givenBack}
  select payment_id::text as subject,
         format('the providers gave back %s of %s, and suspense has %s of that', by_provider, amount_minor, by_suspense)
           as problem
  from given_by_payin
  where by_provider - by_suspense <> least(greatest(by_provider, 0), amount_minor)`

/** The balance pays the share of the target amount, rounded up once, and the dispute's charges at the same rate. */
const paidByBalance = sql<Violation>`
  with ${givenBack},
  charges as (
    select d.org_id, d.payment_id,
           sum((case when m.move_no % 2 = 1 then 1 else -1 end)
             * ceil(m.cost_minor * p.target_amount_minor / p.amount_minor)) as charged
    from dispute_moves m
    join disputes d on d.org_id = m.org_id and d.dispute_id = m.dispute_id
    join payments p on p.org_id = d.org_id and p.payment_id = d.payment_id
    where m.cost_currency = m.currency group by d.org_id, d.payment_id
  )
  select g.payment_id::text as subject,
         format('the balance paid %s of %s for %s of %s', by_balance, target_amount_minor, by_provider - by_suspense,
           amount_minor) as problem
  from given_by_payin g left join charges c on c.org_id = g.org_id and c.payment_id = g.payment_id
  where is_exchanged and by_balance - coalesce(charged, 0) <>
    ceil((by_provider - by_suspense) * target_amount_minor / amount_minor)`

/** The row that decides about the next refund, against the records of refunds and disputes and the ledger. */
const sumsOfRecords = sql<Violation>`
  with refunded as (
    select org_id, payment_id,
           coalesce(sum(amount_minor) filter (where state in ('awaiting_approval', 'sending', 'unknown', 'accepted') and origin = 'api'), 0) as under_way,
           coalesce(sum(amount_minor) filter (where state = 'completed'), 0) as done
    from refunds group by org_id, payment_id
  ),
  moved as (
    select org_id, dispute_id, sum(amount_minor) filter (where move_no in (1, 3)) as out_minor,
           sum(amount_minor) filter (where move_no in (2, 4)) as back_minor
    from dispute_moves group by org_id, dispute_id
  ),
  disputed as (
    select d.org_id, d.payment_id, coalesce(sum(out_minor), 0) as out_minor, coalesce(sum(back_minor), 0) as back_minor,
           sum(case when state in ('warning', 'won') then 0
                    when state in ('lost', 'accepted') and d.withdrawn_minor > 0 then 0
                    else greatest(d.amount_minor - d.withdrawn_minor, 0) end) as demanded
    from disputes d left join moved using (org_id, dispute_id) group by d.org_id, d.payment_id
  ),
  reversed as (
    select org_id, cause_id as payment_id, sum(amount_minor) as amount from ledger_transfers
    where kind = 'payin.reversed' group by org_id, cause_id
  ),
  recorded as (
    select p.org_id, p.payment_id, p.amount_minor,
           array[coalesce(r.under_way, 0), coalesce(r.done, 0), coalesce(v.amount, 0), coalesce(d.demanded, 0),
             coalesce(d.out_minor, 0), coalesce(d.back_minor, 0)] as sums
    from payments p
    left join refunded r using (org_id, payment_id)
    left join disputed d using (org_id, payment_id)
    left join reversed v using (org_id, payment_id)
    where p.direction = 'inbound'
  ),
  compared as (
    select r.payment_id, r.amount_minor, r.sums as recorded, coalesce(s.charged_minor, r.amount_minor) as charged_minor,
           case when s.payment_id is null then array_fill(0::numeric, array[6])
                else array[refunding_minor, refunded_minor, reversed_minor, disputed_minor, withdrawn_minor,
                  returned_minor] end as stored,
           s.exception_id is null or e.exception_id is not null as is_raised
    from recorded r left join payin_sums s on s.org_id = r.org_id and s.payment_id = r.payment_id
    left join exceptions e on e.org_id = s.org_id and e.exception_id = s.exception_id
  )
  select payment_id::text as subject,
         format('of %s the row of sums says %s of %s, the records %s%s', amount_minor, stored, charged_minor, recorded,
           case when is_raised then '' else ', and its exception was never raised' end) as problem
  from compared where stored <> recorded or charged_minor <> amount_minor or not is_raised`

export const conservationChecks: readonly Check[] = [
  {
    promise: 'a payin gives back at most what it took, and the excess is in suspense',
    about: 'payments',
    violations: beyondCharged,
  },
  {
    promise: 'what went back cost the balance what the payment’s rate says',
    about: 'payments',
    violations: paidByBalance,
  },
  { promise: 'the sums of a payin are those of its records', about: 'payin_sums', violations: sumsOfRecords },
]
