import { sql } from 'kysely'
import type { Check, Violation } from './audit-check.ts'

/** Custody is that of what was decided about; the operator alone may decide about pooled money. */
const twoPeople = sql<Violation>`
  with decided as (
    select r.*, coalesce(a.custody, l.custody, f.custody) as custody
    from resolutions r
    left join attempts a using (org_id, payment_id, attempt_no)
    left join ramp_legs l on l.org_id = r.org_id and l.payment_id = r.payment_id and l.leg_no = r.leg_no
    left join refunds f on f.org_id = r.org_id and f.refund_id = r.refund_id
  )
  select d.resolution_id::text as subject,
         case when c.request_id is null then 'no approved change request stands behind a resolution'
              when d.custody is null then 'a resolution is about nothing'
              when d.custody = 'pooled' and c.approver <> 'operator'
                then 'pooled money was not decided about by the operator'
              else 'a resolution differs from what was approved' end as problem
  from decided d left join change_requests c
    on c.org_id = d.org_id and c.request_id = d.resolution_id and c.status = 'approved'
   and c.kind = case when d.refund_id is null then 'payment.resolve' else 'refund.resolve' end
  where c.request_id is null or d.custody is null
     or (d.custody = 'pooled' and c.approver <> 'operator')
     or (c.requested_by, c.decided_by, c.payload ->> 'outcome', c.payload ->> 'payment_id')
        is distinct from (d.proposed_by, d.approved_by, d.outcome, d.payment_id::text)
     or c.requested_by = c.decided_by`

/** A provider that reports a success after people had called it failed is right, so that state is allowed. */
const marked = sql<Violation>`
  select m.subject, 'it is ' || m.state || ' by the decision ' || m.resolution_id || ', which is ' ||
         coalesce(r.outcome, 'missing') as problem
  from (
    select org_id, payment_id, attempt_no, null::smallint as leg_no, null::uuid as refund_id, state, resolution_id,
           payment_id || ' attempt ' || attempt_no as subject
    from attempts where resolution_id is not null
    union all
    select org_id, payment_id, null, leg_no, null, state, resolution_id, payment_id || ' leg ' || leg_no
    from ramp_legs where resolution_id is not null
    union all
    select org_id, payment_id, null, null, refund_id, state, resolution_id, 'refund ' || refund_id
    from refunds where resolution_id is not null
  ) m left join resolutions r
    on r.org_id = m.org_id and r.resolution_id = m.resolution_id and r.payment_id = m.payment_id
   and (r.attempt_no, r.leg_no, r.refund_id) is not distinct from (m.attempt_no, m.leg_no, m.refund_id)
  where r.resolution_id is null or m.state <> all (case r.outcome
    when 'failed' then array['failed', 'succeeded'] else array['succeeded', 'completed'] end)
  union all
  select r.resolution_id::text, 'a decision is not marked where it was made'
  from resolutions r
  where not exists (select from attempts a where a.org_id = r.org_id and a.payment_id = r.payment_id
                      and a.attempt_no = r.attempt_no and a.resolution_id is not null)
    and not exists (select from ramp_legs l where l.org_id = r.org_id and l.resolution_id = r.resolution_id)
    and not exists (select from refunds f where f.org_id = r.org_id and f.resolution_id = r.resolution_id)
  union all
  select r.payment_id::text, 'a payout that was decided to be returned is ' || p.status
  from resolutions r join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
  where r.outcome = 'returned' and p.status <> 'refunded'`

export const resolutionChecks: readonly Check[] = [
  { promise: 'two people stand behind every decision', about: 'resolutions', violations: twoPeople },
  { promise: 'a decision is marked where it was made', about: 'resolutions', violations: marked },
]
