import { sql, type RawBuilder } from 'kysely'
import { eventsKeptFrom, type Check, type StatusTable, type Violation } from './audit-check.ts'

const refundedAmounts = sql<Violation>`
  with sums as (
    select p.org_id, p.payment_id, p.direction, p.status, p.currency, p.amount_minor, p.refunded_minor,
           coalesce(sum(r.amount_minor - r.excess_minor) filter (where r.state = 'completed'), 0) as completed,
           -- A payment that its provider takes back makes no refund row, and takes what refunds have left.
           p.status = 'refunded' and p.failure_code is not null as is_taken_back,
           -- The provider's own refunds are booked although one of ours is open, and the excess is known at its end.
           coalesce(sum(r.amount_minor) filter (where r.state <> 'failed' and r.origin = 'api' and r.excess_minor = 0), 0)
             as taken,
           count(r.refund_id) as refunds,
           bool_or(r.currency <> p.currency) as is_foreign
    from payments p left join refunds r on r.org_id = p.org_id and r.payment_id = p.payment_id
    group by p.org_id, p.payment_id
  )
  select payment_id::text as subject,
         'refunded ' || refunded_minor || ', completed refunds ' || completed || ', with open ones ' || taken ||
         ' of ' || amount_minor || ', ' || status as problem
  from sums
  where direction <> 'external' and (
        refunded_minor <> case when is_taken_back then amount_minor else completed end
     or completed > amount_minor or taken > amount_minor or is_foreign
     or (status = 'refunded') <> (refunded_minor = amount_minor)
     or (refunds > 0 and (direction <> 'inbound' or status not in ('completed', 'refunded'))))`

const openRefunds = sql<Violation>`
  select payment_id::text as subject, count(*) || ' refunds are open at once' as problem
  from refunds where state in ('awaiting_approval', 'sending', 'unknown', 'accepted') and origin = 'api'
  group by org_id, payment_id having count(*) > 1`

const numberedEvents = sql<Violation>`
  select p.payment_id::text as subject,
         'event_count is ' || p.event_count || ', but there are ' || count(e.event_id) || ' events of ' ||
         count(distinct e.sequence) || ' changes, from ' || coalesce(min(e.sequence), 0) || ' to ' ||
         coalesce(max(e.sequence), 0) as problem
  from payments p left join events e on e.org_id = p.org_id and e.resource_id = p.payment_id
  where p.payment_id >= ${eventsKeptFrom}
  group by p.org_id, p.payment_id
  having count(distinct (e.sequence, e.event_type)) filter (where e.event_id is not null) <> count(e.event_id)
      or count(distinct e.sequence) <> p.event_count
      or coalesce(max(e.sequence), 0) <> p.event_count
  union all
  select e.resource_id::text, e.event_type || ' belongs to no payment'
  from events e
  where (e.event_type like 'payment.%' or e.event_type = 'transaction.updated')
    and e.resource_id <> e.event_id
    and not exists (select from payments p where p.org_id = e.org_id and p.payment_id = e.resource_id)`

/** Each `transaction.updated` event carries the status before and after one change. */
const changes = sql`
  changes as (
    select org_id, resource_id as payment_id, sequence, data::jsonb ->> 'status' as status,
           data::jsonb ->> 'previous_status' as previous,
           lag(data::jsonb ->> 'status') over earlier as status_before,
           lead(sequence) over earlier is null as is_last
    from events
    where event_type = 'transaction.updated'
      and resource_id <> event_id -- an event that was sent by hand has itself as its resource
      and resource_id >= ${eventsKeptFrom}
    window earlier as (partition by org_id, resource_id order by sequence)
  )`

const lastEvent = sql<Violation>`
  with ${changes}
  select p.payment_id::text as subject,
         'the payment is ' || p.status || ', its last event carries ' || coalesce(c.status, 'no status') as problem
  from payments p left join changes c
    on c.org_id = p.org_id and c.payment_id = p.payment_id and c.is_last
  where p.status is distinct from c.status
    and not (c.status is null and p.status in ('initiated', 'confirmed'))
    and p.payment_id >= ${eventsKeptFrom}`

function forbiddenChanges(table: StatusTable): RawBuilder<Violation> {
  const allowed = Object.entries(table).flatMap(([from, to]) => to.map((status) => `${from} ${status}`))
  return sql<Violation>`
    with ${changes}
    select payment_id::text as subject, 'event ' || sequence || ' moves from ' || previous || ' to ' || status ||
           ' after ' || coalesce(status_before, 'no status') as problem
    from changes
    where (previous || ' ' || status) <> all (${allowed}::text[])
       or previous is distinct from coalesce(status_before, previous)
       or (status_before is null and previous not in ('initiated', 'confirmed'))`
}

/** Each change to completed, failed or rejected publishes one event; `payment.processing` is published at most once. */
const statusEvents = sql<Violation>`
  with ${changes},
  published as (
    select org_id, resource_id as payment_id,
           count(*) filter (where event_type = 'payment.processing') as processing,
           count(*) filter (where event_type = 'payment.completed') as completed,
           count(*) filter (where event_type = 'payment.failed') as failed
    from events group by org_id, resource_id
  ),
  due as (
    select org_id, payment_id, count(*) filter (where status = 'completed') as completed,
           count(*) filter (where status in ('failed', 'rejected')) as failed
    from changes group by org_id, payment_id
  )
  select p.payment_id::text as subject,
         format('payment.processing %s times, payment.completed %s of %s, payment.failed %s of %s',
           coalesce(f.processing, 0), coalesce(f.completed, 0), coalesce(d.completed, 0),
           coalesce(f.failed, 0), coalesce(d.failed, 0)) as problem
  from payments p
  left join published f on f.org_id = p.org_id and f.payment_id = p.payment_id
  left join due d on d.org_id = p.org_id and d.payment_id = p.payment_id
  where p.payment_id >= ${eventsKeptFrom} and (f.processing > 1
     or coalesce(f.completed, 0) <> coalesce(d.completed, 0)
     or coalesce(f.failed, 0) <> coalesce(d.failed, 0))`

const attemptSums = sql`
  attempted as (
    select p.org_id, p.payment_id, p.direction, p.status, p.provider, count(a.attempt_no) as attempts,
           coalesce(max(a.attempt_no), 0) as last_no,
           count(*) filter (where a.state in ('sending', 'accepted', 'unknown')) as open,
           count(*) filter (where a.state = 'succeeded') as succeeded,
           count(*) filter (where a.state = 'accepted') as accepted,
           min(a.provider) filter (where a.state = 'succeeded') as paid_by,
           -- Approved, and its rate, its verification or all of its routes were gone before it could be sent.
           p.direction = 'outbound' and coalesce(p.failure_code in ('RATE_EXPIRED', 'KYB_REQUIRED', 'ALL_PROVIDERS_FAILED'), false)
             as is_too_late,
           -- The policy sends it to the same provider again after a while.
           (array_agg(a.state = 'declined' and p.routing -> 'fallback' ->> a.outcome_code = 'later'
              order by a.attempt_no desc))[1] as is_repeated
    from payments p left join attempts a on a.org_id = p.org_id and a.payment_id = p.payment_id
    group by p.org_id, p.payment_id
  )`

const oneOpenAttempt = sql<Violation>`
  with ${attemptSums}
  select payment_id::text as subject, open || ' of ' || attempts || ' attempts are open, the last is ' || last_no as problem
  from attempted where open > 1 or last_no <> attempts
  union all
  select a.reference::text, 'two attempts have the same reference'
  from attempts a group by a.reference having count(*) > 1
  union all
  select a.payment_id::text, 'attempt ' || a.attempt_no || ' is ' || a.state || ', but another one followed it'
  from attempts a
  where a.state in ('sending', 'accepted', 'unknown', 'failed') and exists (
    select from attempts later
    where later.org_id = a.org_id and later.payment_id = a.payment_id and later.attempt_no > a.attempt_no)`

/** The next provider of a payout waits while a suspension lasts, and a moment longer. */
const heldBack = sql`
  held_back as (
    select payment.org_id, payment.payment_id, true as is_waiting from payments payment
    where payment.direction = 'outbound' and payment.status in ('confirmed', 'processing') and exists (
      select from suspensions
      where suspensions.org_id in (payment.org_id, '00000000-0000-0000-0000-000000000000')
        and kind in ('organization', 'payouts', 'provider_account')
        and coalesce(lifted_at, now()) > now() - interval '5 minutes')
  ),
  -- Nothing is sent while a match with a sanctions list is open, and a moment longer; a confirmed one ends it unsent.
  screened as (
    select payment.org_id, payment.payment_id, true as was_matched,
      bool_or(coalesce(match.decided_at, now()) > now() - interval '5 minutes') as is_unsent
    from sanctions_matches match
    join payments payment on payment.org_id = match.org_id and (match.subject_id = payment.payment_id
      or match.subject_id = payment.beneficiary_id or (match.subject_kind = 'kyb' and payment.direction = 'outbound'))
    group by payment.org_id, payment.payment_id
  )`

const attemptsMatch = sql<Violation>`
  with ${attemptSums}, ${heldBack}
  select payment_id::text as subject,
         format('%s with %s attempts, %s open, %s accepted, %s succeeded, paid by %s, at %s', status, attempts, open,
           accepted, succeeded, coalesce(paid_by, 'nobody'), coalesce(provider, 'nobody')) as problem
  from attempted left join held_back using (org_id, payment_id) left join screened using (org_id, payment_id)
  where direction <> 'external' and not case status
    when 'initiated' then attempts = 0
    when 'reviewed' then attempts = 0
    when 'confirmed' then succeeded = 0 and accepted = 0
      and (open = 1 or (attempts = 0 and direction = 'outbound') or (is_repeated is true or is_waiting is true or is_unsent is true))
    when 'processing' then succeeded = 0
      and (open = 1 or (open = 0 and (is_repeated is true or is_waiting is true or is_unsent is true)))
    when 'pending' then succeeded = 0 and accepted = 1
    when 'failed' then succeeded = 0 and open = 0 and (attempts > 0 or was_matched is true or is_too_late)
    when 'rejected' then succeeded = 0 and open = 0
    when 'canceled' then succeeded = 0 and open = 0
    else succeeded = 1 and open = 0 and provider is not distinct from paid_by
  end`

export const recordChecks = (table: StatusTable): readonly Check[] => [
  { promise: 'refunded is the sum of the completed refunds', about: 'payments', violations: refundedAmounts },
  { promise: 'a payment has one open refund at most', about: 'refunds', violations: openRefunds },
  { promise: 'events are numbered without a gap', about: 'events', violations: numberedEvents },
  { promise: 'the last event carries the status', about: 'payments', violations: lastEvent },
  { promise: 'statuses follow the transition table', about: 'events', violations: forbiddenChanges(table) },
  { promise: 'every change has its events', about: 'payments', violations: statusEvents },
  { promise: 'a payment has one open attempt at most', about: 'attempts', violations: oneOpenAttempt },
  { promise: 'attempts match the status of their payment', about: 'payments', violations: attemptsMatch },
]
