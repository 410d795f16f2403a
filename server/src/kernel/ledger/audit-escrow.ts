import { sql } from 'kysely'
import { eventsKeptFrom, type Check, type Violation } from './audit-check.ts'

const sums = sql`
  paid as (
    select org_id, milestone_id, sum(amount_minor) as shared,
           coalesce(sum(amount_minor) filter (where state = 'paid'), 0) as paid,
           count(*) filter (where state in ('pending', 'paying', 'failed')) as in_flight,
           count(*) filter (where state = 'stuck') as stuck,
           count(*) filter (where state <> 'paid' and failure_code is distinct from 'PAYOUT_RETURNED') as unpaid
    from escrow_shares group by org_id, milestone_id
  ),
  escrow_sums as (
    select e.org_id, e.escrow_id, e.account_id, coalesce(sum(m.covered_minor), 0) as covered,
           coalesce(sum(p.paid), 0) as disbursed
    from escrows e
    left join escrow_milestones m on m.org_id = e.org_id and m.escrow_id = e.escrow_id
    left join paid p on p.org_id = m.org_id and p.milestone_id = m.milestone_id
    group by e.org_id, e.escrow_id
  )`

const balances = sql<Violation>`
  with ${sums}
  select p.escrow_id::text as subject,
         format('it holds %s; %s is covered and %s disbursed', b.available_minor + b.held_minor, p.covered,
           p.disbursed) as problem
  from escrow_sums p left join guarded_balances b on b.org_id = p.org_id and b.account = 'va:' || p.account_id
  where b.available_minor + b.held_minor is distinct from p.covered - p.disbursed`

/** Fundings minus returns equal what covers milestones, and each funding has its transfer. */
const fundings = sql<Violation>`
  with ${sums}
  select p.escrow_id::text as subject,
         format('%s was funded and not returned, %s covers milestones', coalesce(sum(f.amount_minor - f.returned_minor), 0),
           p.covered) as problem
  from escrow_sums p left join escrow_fundings f on f.org_id = p.org_id and f.escrow_id = p.escrow_id
  group by p.org_id, p.escrow_id, p.covered
  having coalesce(sum(f.amount_minor - f.returned_minor), 0) <> p.covered
  union all
  select f.funding_id::text, 'a funding has no transfer of its amount'
  from escrow_fundings f join escrows e on e.org_id = f.org_id and e.escrow_id = f.escrow_id
  where not exists (
    select from ledger_transfers t
    where t.org_id = f.org_id and t.cause_id = f.funding_id and t.phase = 'posted'
      and (t.debit_account, t.credit_account, t.currency, t.amount_minor)
        = ('va:' || f.account_id, 'va:' || e.account_id, e.currency, f.amount_minor))`

const conserved = sql<Violation>`
  with ${sums}
  select m.milestone_id::text as subject,
         format('%s with shares of %s in total, expected %s', m.status, coalesce(p.shared, 0),
           m.expected_minor) as problem
  from escrow_milestones m left join paid p on p.org_id = m.org_id and p.milestone_id = m.milestone_id
  where case
    when m.status in ('pending', 'submitted', 'approved') then p.shared is not null
    when m.status = 'canceled' then coalesce(p.shared, m.expected_minor) <> m.expected_minor
    else p.shared is distinct from m.expected_minor or m.covered_minor <> m.expected_minor end`

/** A share is paid by one transfer between accounts or by one completed payout from the escrow's account. */
const paidOnce = sql<Violation>`
  with shares as (
    select s.*, e.account_id as escrow_account, e.currency, y.account_id, y.beneficiary_id
    from escrow_shares s
    join escrow_milestones m on m.org_id = s.org_id and m.milestone_id = s.milestone_id
    join escrows e on e.org_id = m.org_id and e.escrow_id = m.escrow_id
    join escrow_parties y on y.org_id = s.org_id and y.party_id = s.party_id
  ),
  counted as (
    select s.org_id, s.milestone_id, s.party_id, s.state,
      (select count(*) from ledger_transfers t
        where s.account_id is not null and t.org_id = s.org_id and t.phase = 'posted' and t.kind = 'va.transfer'
          and t.cause_id = any (s.tried_payment_ids || s.payment_id)
          and (t.debit_account, t.credit_account, t.currency, t.amount_minor)
            = ('va:' || s.escrow_account, 'va:' || s.account_id, s.currency, s.amount_minor))
      + (select count(*) from payments p
        where s.beneficiary_id is not null and p.org_id = s.org_id and p.status = 'completed'
          and p.payment_id = any (s.tried_payment_ids || s.payment_id)
          and (p.funding_account_id, p.beneficiary_id, p.currency, p.amount_minor)
            = (s.escrow_account, s.beneficiary_id, s.currency, s.amount_minor)) as times
    from shares s
  )
  select milestone_id || ' ' || party_id as subject, 'the share is ' || state || ' and was paid ' || times || ' times' as problem
  from counted where times <> case state when 'paid' then 1 else 0 end
  union all
  select p.payment_id::text, 'an escrow paid a payout that belongs to none of its shares'
  from payments p join escrows e on e.org_id = p.org_id and e.account_id = p.funding_account_id
  where not exists (
    select from escrow_shares s where s.org_id = p.org_id and p.payment_id = any (s.tried_payment_ids || s.payment_id))`

const statuses = sql<Violation>`
  with ${sums}
  select m.milestone_id::text as subject,
         format('%s with %s shares in flight and %s unpaid', m.status, p.in_flight, p.unpaid) as problem
  from escrow_milestones m join paid p on p.org_id = m.org_id and p.milestone_id = m.milestone_id
  where (m.status = 'disbursed' and p.unpaid > 0) or (m.status = 'disbursed') <> (m.disbursed_at is not null)
  union all
  select s.milestone_id || ' ' || s.party_id, 'a stuck share has no exception'
  from escrow_shares s
  where s.state = 'stuck' and not exists (
    select from exceptions x
    where x.org_id = s.org_id and x.kind = 'escrow_payout_failed'
      and x.finding_key = 'escrow_payout_failed ' || s.milestone_id || ' ' || s.party_id || ' ' || s.payment_id)`

const eventsMatch = sql<Violation>`
  with published as (
    select org_id, resource_id, count(distinct sequence) as events, max(sequence) as last_no,
           (array_agg(data::jsonb ->> 'status' order by sequence desc))[1] as status
    from events where event_type like 'escrow.%' group by org_id, resource_id
  )
  select m.milestone_id::text as subject,
         format('it is %s after %s changes with an event, but there are %s and the last carries %s', m.status, m.event_count,
           coalesce(t.events, 0), coalesce(t.status, 'no status')) as problem
  from escrow_milestones m left join published t on t.org_id = m.org_id and t.resource_id = m.milestone_id
  where m.milestone_id >= ${eventsKeptFrom} and (m.event_count <> coalesce(t.events, 0)
     or coalesce(t.last_no, 0) <> m.event_count or m.status <> coalesce(t.status, 'pending'))`

export const escrowChecks: readonly Check[] = [
  {
    promise: 'an escrow holds what is covered minus what was disbursed',
    about: 'escrows',
    violations: balances,
  },
  { promise: 'the funding of an escrow covers its milestones', about: 'escrows', violations: fundings },
  { promise: 'shares conserve every minor unit', about: 'escrow_milestones', violations: conserved },
  { promise: 'a share is paid exactly once', about: 'escrow_shares', violations: paidOnce },
  {
    promise: 'the status of a milestone matches its shares',
    about: 'escrow_milestones',
    violations: statuses,
  },
  {
    promise: 'a milestone has an event for each change',
    about: 'escrow_milestones',
    violations: eventsMatch,
  },
]
