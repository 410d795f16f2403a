-- The audit log and analytics.

create table audit_log (
  org_id uuid not null,
  audit_id uuid not null,
  user_id text not null,
  -- payment_link: a payer acts through a link, on behalf of whoever made it. system: a worker, after a rotation of keys.
  credential text not null check (credential in ('api_key', 'jwt', 'payment_link', 'session', 'system')),
  api_key_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  before jsonb,
  after jsonb,
  ip text not null,
  user_agent text,
  request_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, audit_id)
) partition by range (audit_id);
create index audit_log_by_age on audit_log (org_id, created_at, audit_id);
call protect_tenant_table('audit_log', 'select, insert');

create table audit_log_first partition of audit_log
  for values from (minvalue) to (first_id_at(date_trunc('month', now(), 'UTC')));
alter table audit_log_first enable row level security, force row level security;

-- Blocks of the audit log, one chain for each organisation. Neither role can update or delete them. The ids and the
-- hashes of the entries stand in the order of the leaves, so that a changed or a removed entry can be named.
create table audit_blocks (
  org_id uuid not null,
  block_no bigint not null check (block_no > 0),
  row_count integer not null check (row_count > 0),
  root bytea not null check (length(root) = 32),
  previous_hash bytea not null check (length(previous_hash) = 32),
  block_hash bytea not null check (length(block_hash) = 32),
  sealed_at timestamptz(3) not null,
  first_id uuid not null,
  last_id uuid not null,
  audit_ids uuid[] not null,
  leaf_hashes bytea not null check (length(leaf_hashes) = 32 * row_count),
  primary key (org_id, block_no)
);
create index audit_blocks_by_entry on audit_blocks (org_id, last_id);
call protect_tenant_table('audit_blocks', 'select');

-- Entries that no block has yet. An entry stands here from its own commit on, so one that commits late with an older id
-- is found like any other, and no writer waits for another.
create table audit_unsealed (
  org_id uuid not null,
  audit_id uuid not null,
  queued_at timestamptz(3) not null default clock_timestamp(),
  primary key (org_id, audit_id)
);
call protect_tenant_table('audit_unsealed', 'select, insert');
grant delete on audit_unsealed to switchyard_system;

create function queue_for_sealing() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (org_id, audit_id) values (new.org_id, new.audit_id);
  return null;
end $$;
create trigger queue_for_sealing after insert on audit_log
  for each row execute function queue_for_sealing();

-- Analytics. Each change of a payment appends what it adds to the sums; the engine folds that into rollups.
-- Readers add both, so the sums are exact at every moment, however late the engine is.
create table payment_deltas (
  org_id uuid not null,
  delta_id bigint generated always as identity,
  bucket_start timestamptz(3) not null,
  country char(2) not null,
  currency text not null,
  payments integer not null,
  completed integer not null,
  failed integer not null,
  amount_minor numeric not null,
  completed_minor numeric not null,
  primary key (org_id, delta_id)
) with (autovacuum_vacuum_scale_factor = 0.01);
call protect_tenant_table('payment_deltas', 'select, insert');
-- Update too: without it no row can be locked.
grant update, delete on payment_deltas to switchyard_system;

-- In UTC, in three grains: a local day of any time zone is a few UTC days, hours and quarters of an hour.
create table payment_rollups (
  org_id uuid not null,
  grain text not null check (grain in ('day', 'hour', 'quarter')),
  bucket_start timestamptz(3) not null,
  currency text not null,
  payments bigint not null,
  completed bigint not null,
  failed bigint not null,
  amount_minor numeric not null,
  completed_minor numeric not null,
  primary key (org_id, grain, bucket_start, currency)
) with (fillfactor = 80);
call protect_tenant_table('payment_rollups', 'select');
grant insert, update on payment_rollups to switchyard_system;

create table country_rollups (
  org_id uuid not null,
  country char(2) not null,
  currency text not null,
  payments bigint not null,
  completed bigint not null,
  failed bigint not null,
  amount_minor numeric not null,
  completed_minor numeric not null,
  primary key (org_id, country, currency)
) with (fillfactor = 80);
call protect_tenant_table('country_rollups', 'select');
grant insert, update on country_rollups to switchyard_system;

create function is_completed(status text) returns integer
  language sql immutable parallel safe
  return (status in ('completed', 'refunded'))::integer;

create function is_failed(status text) returns integer
  language sql immutable parallel safe
  return (status in ('failed', 'rejected'))::integer;

create function quarter_hour(moment timestamptz) returns timestamptz
  language sql immutable parallel safe
  return date_bin('15 minutes', moment, '2000-01-01 00:00:00+00');

-- The trigger of payments. Amount, currency, country and time of a payment never change; of its status only what ends
-- it counts.
create function append_payment_delta() returns trigger
  language plpgsql as $$
declare
  is_new constant integer := (tg_op = 'INSERT')::integer;
  more_completed constant integer := is_completed(new.status) - coalesce(is_completed(old.status), 0);
  more_failed constant integer := is_failed(new.status) - coalesce(is_failed(old.status), 0);
begin
  insert into payment_deltas
    (org_id, bucket_start, country, currency, payments, completed, failed, amount_minor, completed_minor)
  values (new.org_id, quarter_hour(new.created_at), new.country, new.currency, is_new, more_completed,
    more_failed, new.amount_minor * is_new, new.amount_minor * more_completed);
  return null;
end $$;
