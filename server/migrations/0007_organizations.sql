alter table organizations
  add column payouts_require_kyb boolean not null default false,
  add column kyb_reason text,
  -- The provider has said that the organisation may not try again.
  add column kyb_is_final boolean not null default false,
  -- The provider's own time of the last news that was applied: what is older and arrives later is no news.
  add column kyb_news_at timestamptz(3),
  add column kyb_event_count integer not null default 0;
create index organizations_by_kyb_customer on organizations (kyb_customer_id) where kyb_customer_id is not null;

-- What the KYB provider told us. The primary key makes a repeat harmless.
create table kyb_inbox (
  org_id uuid not null,
  dedupe_key text not null,
  news text not null,
  result text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, dedupe_key)
);
call protect_tenant_table('kyb_inbox', 'select, insert');

create table invitations (
  org_id uuid not null references organizations,
  invitation_id uuid not null,
  email text not null,
  role text not null check (role in ('platform-admin', 'org-admin', 'staff', 'viewer')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked', 'expired')),
  invited_by text not null,
  accepted_by text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, invitation_id)
);
create unique index invitations_one_open_per_email on invitations (org_id, lower(email)) where status = 'pending';
create index invitations_by_age on invitations (org_id, created_at, invitation_id);
call protect_tenant_table('invitations', 'select, insert, update');

-- A notice is a mail and, for a member, an entry of the inbox. Its link is made when it is shown: nothing at
-- rest opens anything.
alter table notifications
  alter column user_id drop not null,
  add column language text not null default 'en',
  add column priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  add column link_kind text,
  add column link_id uuid,
  -- Recipient and variables of a notice to somebody whose data is sealed elsewhere too.
  add column private_sealed bytea,
  add column read_at timestamptz(3);
create index notifications_by_user on notifications (org_id, user_id, created_at, notification_id);

create table verification_requests (
  org_id uuid not null,
  request_id uuid not null,
  payment_id uuid not null,
  target text not null check (target in ('sender', 'beneficiary')),
  target_id text not null,
  verification_type text not null check (verification_type in ('bvn', 'nin')),
  triggered_by text not null,
  requested_by text not null,
  notification_id uuid not null,
  answer_sealed bytea,
  answered_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, request_id)
);
create index verification_requests_by_age on verification_requests (org_id, created_at, request_id);
call protect_tenant_table('verification_requests', 'select, insert, update');

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

-- A trigger, so that no writer of payments can forget it. Amount, currency, country and time of a payment never
-- change; of its status only what ends it counts.
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

create trigger payments_append_delta_of_insert after insert on payments
  for each row execute function append_payment_delta();
create trigger payments_append_delta_of_update after update on payments
  for each row when (
    is_completed(old.status) <> is_completed(new.status) or is_failed(old.status) <> is_failed(new.status)
  ) execute function append_payment_delta();

insert into payment_deltas
  (org_id, bucket_start, country, currency, payments, completed, failed, amount_minor, completed_minor)
select org_id, quarter_hour(created_at), country, currency, count(*), sum(is_completed(status)),
  sum(is_failed(status)), sum(amount_minor), sum(amount_minor * is_completed(status))
from payments group by 1, 2, 3, 4;
