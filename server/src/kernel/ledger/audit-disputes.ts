import { sql } from 'kysely'
import { eventsKeptFrom, type Check, type Violation } from './audit-check.ts'

/** Repeats the postings of the dispute code on purpose: an audit that shares that code would prove nothing. */
const expectedTransfers = sql`
  reported as (
    select d.org_id, d.dispute_id, m.move_no % 2 = 1 as is_out, (m.move_no + 1) / 2 as round,
           m.amount_minor - m.excess_minor as booked_minor, m.excess_minor, m.currency, m.cost_minor, m.cost_currency,
           m.exchanged_minor, m.exchanged_currency,
           m.amount_minor - m.excess_minor + case when m.cost_currency = m.currency then m.cost_minor else 0 end as own_minor,
           case a.custody when 'own' then 'available:own' else 'available' end as available,
           'provider:' || a.provider || ':' || a.account_id as provider_account,
           'fx:' || m.currency || '/' || m.exchanged_currency as pair
    from dispute_moves m
    join disputes d on d.org_id = m.org_id and d.dispute_id = m.dispute_id
    left join attempts a on a.org_id = d.org_id and a.payment_id = d.payment_id and a.state = 'succeeded'
  ),
  expected (org_id, dispute_id, kind, debit, credit, currency, amount) as (
    select org_id, dispute_id, 'dispute.' || case when is_out then 'withdrawn.' else 'returned.' end || round,
           case when is_out then available else provider_account end,
           case when is_out then provider_account else available end, currency, booked_minor
    from reported where booked_minor > 0
    union all
    select org_id, dispute_id, 'dispute.' || case when is_out then 'excess.' else 'excess.returned.' end || round,
           case when is_out then 'suspense' else provider_account end,
           case when is_out then provider_account else 'suspense' end, currency, excess_minor
    from reported where excess_minor > 0
    union all
    select org_id, dispute_id, 'dispute.' || case when is_out then 'cost.' else 'cost.returned.' end || round,
           case when is_out then available else provider_account end,
           case when is_out then provider_account else available end, cost_currency, cost_minor
    from reported where cost_minor > 0
    union all
    select org_id, dispute_id, 'dispute.fx.' || case when is_out then 'sold.' else 'returned.sold.' end || round,
           available, pair, case when is_out then exchanged_currency else currency end,
           case when is_out then exchanged_minor else own_minor end
    from reported where case when is_out then exchanged_minor else own_minor end > 0 and pair is not null
    union all
    select org_id, dispute_id, 'dispute.fx.' || case when is_out then 'bought.' else 'returned.bought.' end || round,
           pair, available, case when is_out then currency else exchanged_currency end,
           case when is_out then own_minor else exchanged_minor end
    from reported where case when is_out then own_minor else exchanged_minor end > 0 and pair is not null
  ),
  posted (org_id, dispute_id, kind, debit, credit, currency, amount) as (
    select org_id, cause_id, kind, debit_account, credit_account, currency, amount_minor
    from ledger_transfers where kind like 'dispute.%'
  )`

const transfersOfMoves = sql<Violation>`
  with ${expectedTransfers}
  select coalesce(e.dispute_id, p.dispute_id)::text as subject,
         format('%s: the movements demand %s %s from %s to %s, the ledger has %s %s from %s to %s',
           coalesce(e.kind, p.kind), e.amount, e.currency, e.debit, e.credit, p.amount, p.currency, p.debit, p.credit)
           as problem
  from expected e full join posted p on p.org_id = e.org_id and p.dispute_id = e.dispute_id and p.kind = e.kind
  where (e.debit, e.credit, e.currency, e.amount) is distinct from (p.debit, p.credit, p.currency, p.amount)`

/** Withdrawals and returns alternate from the first on, and what is out now is their difference. */
const movesOfDisputes = sql<Violation>`
  with sums as (
    select org_id, dispute_id, count(*) as moves, max(move_no) as last,
           sum(case when move_no % 2 = 1 then amount_minor else -amount_minor end) as out_minor
    from dispute_moves group by org_id, dispute_id
  )
  select d.dispute_id::text as subject,
         format('%s movements and %s withdrawn, but the rows have %s up to %s with %s', d.moves, d.withdrawn_minor,
           coalesce(s.moves, 0), s.last, coalesce(s.out_minor, 0)) as problem
  from disputes d left join sums s using (org_id, dispute_id)
  where d.moves <> coalesce(s.moves, 0) or d.moves <> coalesce(s.last, 0)
     or d.withdrawn_minor <> greatest(coalesce(s.out_minor, 0), 0)`

/** Only the account that carried the payment may have reported the dispute. */
const carriers = sql<Violation>`
  select d.dispute_id::text as subject,
         format('account %s reported it, the payment is %s and account %s carried it', d.account_id,
           coalesce(p.status, 'missing'), a.account_id) as problem
  from disputes d
  left join payments p on p.org_id = d.org_id and p.payment_id = d.payment_id
  left join attempts a on a.org_id = d.org_id and a.payment_id = d.payment_id and a.state = 'succeeded'
  where p.status not in ('completed', 'refunded') or p.direction <> 'inbound' or a.account_id is null
     or a.account_id <> d.account_id or a.custody <> d.custody or p.currency <> d.currency or p.status is null`

const eventsOfDisputes = sql<Violation>`
  with reported as (
    select org_id, resource_id, count(distinct sequence) as events, max(sequence) as last,
           (array_agg(event_type order by sequence, event_type desc))[1] as first_type,
           (array_agg(data::jsonb ->> 'state' order by sequence desc))[1] as last_state
    from events where event_type like 'dispute.%' and resource_id <> event_id
    group by org_id, resource_id
  )
  select d.dispute_id::text as subject,
         format('the dispute is %s after %s changes, its events tell of %s from %s to %s', d.state, d.event_count,
           coalesce(t.events, 0), t.first_type, t.last_state) as problem
  from disputes d left join reported t on t.org_id = d.org_id and t.resource_id = d.dispute_id
  where d.dispute_id >= ${eventsKeptFrom} and (t.events is distinct from d.event_count
     or t.last is distinct from d.event_count or t.first_type <> 'dispute.opened' or t.last_state <> d.state)`

export const disputeChecks: readonly Check[] = [
  {
    promise: 'every movement of disputed money is posted once',
    about: 'dispute_moves',
    violations: transfersOfMoves,
  },
  { promise: 'a dispute is the sum of its movements', about: 'disputes', violations: movesOfDisputes },
  {
    promise: 'a dispute was reported by the account of its payment',
    about: 'disputes',
    violations: carriers,
  },
  { promise: 'the state of a dispute matches its events', about: 'disputes', violations: eventsOfDisputes },
]
