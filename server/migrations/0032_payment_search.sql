-- What the list of payments filters by, in one column and one index: a list merges the facets that match, so every
-- combination of filters finds its rows in order, however rare they are. Status and provider count only once the
-- payment has ended: until then they change, and a change of an indexed column writes every index of the row again.
alter table payments
  add column facet text collate "C" not null generated always as (
    country::text || ' ' || currency || ' ' || direction || ' ' || payment_method || ' ' ||
    case when status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending') then 'open'
      else status || ' ' || coalesce(provider, '') end) stored,
  -- Comparisons of numeric are not leakproof, so row level security would not let an index serve them.
  add column amount_approx double precision not null generated always as (amount_minor::double precision) stored,
  -- The last change of a payment that changed long after its creation. Others are found by their age.
  add column late_update_at timestamptz(3) generated always as (
    case when updated_at - created_at > interval '1 hour' then updated_at end) stored;

create index payments_by_facet on payments (org_id, facet, created_at, payment_id);
create index payments_by_amount on payments (org_id, currency, amount_approx, created_at, payment_id);
create index payments_by_late_update on payments (org_id, late_update_at, created_at, payment_id)
  where late_update_at is not null;

drop index payments_by_client_reference;
create index payments_by_client_reference on payments
  (org_id, client_reference collate "C", created_at, payment_id) where client_reference is not null;
drop index payments_by_beneficiary;
create index payments_by_beneficiary on payments (org_id, beneficiary_id, created_at, payment_id)
  where beneficiary_id is not null;

create index attempts_by_org_provider_ref on attempts (org_id, provider_ref collate "C", payment_id)
  where provider_ref is not null;

-- Keyed hashes of names, e-mail addresses and phone numbers: they can be looked up by who has the key, and read by
-- nobody. Erasure deletes them.
create table payment_search_terms (
  org_id uuid not null,
  term bigint not null,
  created_at timestamptz(3) not null,
  payment_id uuid not null,
  primary key (org_id, term, created_at, payment_id)
);
call protect_tenant_table('payment_search_terms', 'select, insert, delete');

-- Payments whose terms are not written yet.
create table payment_search_queue (
  org_id uuid not null,
  payment_id uuid not null,
  queued_at timestamptz(3) not null,
  primary key (org_id, payment_id)
) with (autovacuum_vacuum_scale_factor = 0.01);
create index payment_search_queue_by_age on payment_search_queue (queued_at);
call protect_tenant_table('payment_search_queue', 'select, insert');
grant update, delete on payment_search_queue to switchyard_system;

-- A trigger, so that no writer of payments can forget it.
create function queue_payment_search() returns trigger
  language plpgsql as $$
begin
  insert into payment_search_queue (org_id, payment_id, queued_at)
  values (new.org_id, new.payment_id, now());
  return null;
end $$;
create trigger payments_queue_search after insert on payments
  for each row execute function queue_payment_search();

insert into payment_search_queue (org_id, payment_id, queued_at) select org_id, payment_id, now() from payments;
