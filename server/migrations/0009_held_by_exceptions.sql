-- Money in suspense that waits for a person: how much, and with whom it lies. Only saying what became of it closes
-- the exception.
alter table exceptions
  add column held_minor numeric(38, 0) check (held_minor > 0),
  add column held_currency text,
  add column held_provider text,
  add check (num_nulls(held_minor, held_currency, held_provider) in (0, 3));

-- What ramps have kept apart so far waits with the newest open exception of each.
with newest as (
  select distinct on (e.org_id, e.payment_id) e.org_id, e.exception_id, r.suspended_minor,
    case r.direction when 'on_ramp' then r.fiat_currency else r.crypto_currency end as currency,
    (select l.provider from ramp_legs l
     where l.org_id = r.org_id and l.payment_id = r.payment_id and l.kind in ('collection', 'whole')
     order by l.leg_no desc limit 1) as provider
  from exceptions e join ramps r using (org_id, payment_id)
  where e.status = 'open' and r.suspended_minor > 0
    and e.kind in ('ramp_underpaid', 'ramp_overpaid', 'ramp_paid_late', 'ramp_not_settled')
  order by e.org_id, e.payment_id, e.created_at desc
)
update exceptions e set held_minor = n.suspended_minor, held_currency = n.currency, held_provider = n.provider
from newest n where n.org_id = e.org_id and n.exception_id = e.exception_id;
