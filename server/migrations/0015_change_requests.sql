-- The sum over the last 24 hours from which every payout needs approval; null when there is no such limit.
alter table approval_policies add column daily_from_minor numeric(38, 0) check (daily_from_minor > 0);

create index payments_outgoing on payments (org_id, created_at) where direction <> 'inbound';
create index payments_by_beneficiary on payments (org_id, beneficiary_id) where beneficiary_id is not null;

-- Fails the transaction when what the organisation sends out, this payment included, reaches the limit. Called after
-- the payment is written. Payouts of one organisation queue for the lock until they commit, so that of two at the same
-- moment the second one counts the first. The sum is a statement after the lock: a statement that waits for a lock keeps
-- the snapshot it began with. A currency without a weight counts with at least the limit.
create function assert_outflow_below(
  of_org uuid, since timestamptz, limit_minor numeric, currencies text[], weights numeric[]
) returns void
  language plpgsql volatile as $$
declare
  total numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_org::text || ' outflow', 0));
  select coalesce(sum(greatest(
      payment.amount_minor * coalesce(source.weight, limit_minor),
      payment.target_amount_minor * coalesce(target.weight, limit_minor))), 0)
    into total
    from payments payment
    left join unnest(currencies, weights) as source (currency, weight) on source.currency = payment.currency
    left join unnest(currencies, weights) as target (currency, weight) on target.currency = payment.target_currency
    where payment.org_id = of_org and payment.created_at > since and payment.direction <> 'inbound'
      and payment.status not in ('failed', 'rejected', 'canceled');
  if total >= limit_minor then
    raise exception 'the outflow reaches the limit' using errcode = 'SY011';
  end if;
end $$;

-- A change that weakens control waits here for a second person. Secrets and account numbers are sealed.
create table change_requests (
  org_id uuid not null,
  request_id uuid not null,
  kind text not null,
  payload jsonb not null,
  payload_sealed bytea,
  summary text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'canceled')),
  requested_by text not null,
  decided_by text,
  comments text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, request_id),
  check (status not in ('approved', 'rejected') or decided_by <> requested_by)
);
create index change_requests_by_age on change_requests (org_id, created_at, request_id);
call protect_tenant_table('change_requests', 'select, insert, update');

-- An organisation without a row has change control.
create table change_controls (
  org_id uuid primary key,
  enabled boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
call protect_tenant_table('change_controls', 'select, insert, update');
