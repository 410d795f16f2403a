-- Rows of the nil organisation belong to the installation and may be read by every organisation.
create procedure share_installation_rows(tenant_table regclass)
  language plpgsql as $$
begin
  execute format(
    'create policy installation on %s for select to switchyard_app using (org_id = ''00000000-0000-0000-0000-000000000000'')',
    tenant_table);
end $$;

-- Fails the whole transaction when a fenced write found no row: statements are pipelined, so the caller
-- cannot look at one result before it sends the next.
create function assert_written(written bigint) returns void
  language plpgsql as $$
begin
  if written = 0 then
    raise exception 'stale version' using errcode = 'SY001';
  end if;
end $$;

alter table organizations
  add column rate_margin_bps integer not null default 0 check (rate_margin_bps between 0 and 5000),
  add column return_url_hosts text[] not null default '{}';

create table data_keys (
  org_id uuid not null,
  data_key_id uuid not null,
  wrapped_key bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, data_key_id)
);
call protect_tenant_table('data_keys', 'select, insert');
call share_installation_rows('data_keys');

-- One unit of USD in each currency, from a rate source. Pairs are derived.
create table market_rates (
  currency text primary key,
  per_usd numeric(40, 18) not null check (per_usd > 0),
  source text not null,
  as_of timestamptz(3) not null
);
grant select on market_rates to switchyard_app;
grant select, insert, update, delete on market_rates to switchyard_system;

create table rate_quotes (
  org_id uuid not null,
  org_rate_id uuid not null,
  from_currency text not null,
  to_currency text not null,
  rate numeric(40, 18) not null check (rate > 0),
  source text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, org_rate_id)
);
call protect_tenant_table('rate_quotes', 'select, insert');

create table provider_credentials (
  org_id uuid not null,
  provider text not null,
  credentials_sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, provider)
);
call protect_tenant_table('provider_credentials', 'select, insert, update, delete');
call share_installation_rows('provider_credentials');

create table provider_configs (
  org_id uuid not null,
  config_id uuid not null,
  provider text not null,
  country char(2) not null,
  payment_method text not null check (payment_method in ('bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet')),
  direction text not null check (direction in ('inbound', 'outbound', 'external')),
  api_version text,
  priority integer not null default 100,
  is_active boolean not null default true,
  webhook_required boolean not null default false,
  min_amount numeric(38, 18),
  max_amount numeric(38, 18),
  description text,
  webhook_url text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, config_id)
);
create index provider_configs_by_corridor on provider_configs (org_id, country, payment_method, direction);
call protect_tenant_table('provider_configs', 'select, insert, update, delete');
call share_installation_rows('provider_configs');

-- What connectors say of mobile money networks; refreshed by the engine.
create table networks (
  provider text not null,
  country char(2) not null,
  code text not null,
  brand text not null,
  name text not null,
  currency text not null,
  directions text[] not null,
  min_amount text,
  max_amount text,
  status text not null check (status in ('operational', 'delayed', 'closed')),
  refreshed_at timestamptz(3) not null default now(),
  primary key (provider, country, code, currency)
);
grant select on networks to switchyard_app;
grant select, insert, update, delete on networks to switchyard_system;

create table beneficiaries (
  org_id uuid not null,
  beneficiary_id uuid not null,
  beneficiary_of text not null,
  account_type text not null check (account_type in ('bank', 'mobile_money', 'wallet')),
  beneficiary_type text not null check (beneficiary_type in ('individual', 'business', 'loan_client')),
  country char(2) not null,
  currency text not null,
  details_sealed bytea not null,
  external_account_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, beneficiary_id)
);
create index beneficiaries_by_age on beneficiaries (org_id, created_at, beneficiary_id);
call protect_tenant_table('beneficiaries', 'select, insert, update, delete');

create table payments (
  org_id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  direction text not null check (direction in ('inbound', 'outbound', 'external')),
  payment_method text not null check (payment_method in ('bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet')),
  country char(2) not null,
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  target_currency text not null,
  target_amount_minor numeric(38, 0) not null check (target_amount_minor > 0),
  status text not null check (status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending',
    'completed', 'failed', 'refunded', 'rejected', 'canceled')),
  -- For partial indexes: one that named the status would have to be written anew with every change of it, and
  -- all the other indexes of the row with it.
  is_open boolean not null generated always as
    (status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending')) stored,
  -- Raised by every write; every write names the version that it saw.
  version integer not null,
  event_count integer not null default 0,
  org_rate_id uuid,
  client_reference text,
  description text,
  beneficiary_id uuid,
  provider text,
  provider_payment_id text,
  provider_status text,
  card jsonb,
  private_sealed bytea not null,
  next_action jsonb,
  routing jsonb not null,
  failure_code text,
  failure_message text,
  return_url text,
  metadata jsonb,
  comments text,
  refunded_minor numeric(38, 0) not null default 0,
  request_id text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id),
  check (refunded_minor between 0 and amount_minor)
) with (fillfactor = 85);
create index payments_by_age on payments (org_id, created_at, payment_id);
create index payments_by_client_reference on payments (org_id, client_reference) where client_reference is not null;
create index payments_open on payments (payment_id) where is_open;
create index payments_by_open_beneficiary on payments (org_id, beneficiary_id) where beneficiary_id is not null and is_open;
call protect_tenant_table('payments', 'select, insert, update');

create table attempts (
  org_id uuid not null,
  payment_id uuid not null,
  attempt_no smallint not null,
  provider text not null,
  config_id uuid not null,
  reference uuid not null,
  state text not null check (state in ('sending', 'accepted', 'succeeded', 'failed', 'declined', 'not_sent', 'unknown')),
  is_open boolean not null generated always as (state in ('sending', 'accepted', 'unknown')) stored,
  provider_ref text,
  provider_status text,
  outcome_code text,
  outcome_message text,
  reached_customer boolean not null default false,
  not_found_count smallint not null default 0,
  inquiries smallint not null default 0,
  otp_tries smallint not null default 0,
  deadline_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, attempt_no)
) with (fillfactor = 85);
create unique index attempts_one_open on attempts (org_id, payment_id) where is_open;
create index attempts_by_reference on attempts (reference);
call protect_tenant_table('attempts', 'select, insert, update');

create table inquiries (
  org_id uuid not null,
  payment_id uuid not null,
  inquiry_id uuid not null,
  attempt_no smallint not null,
  result text not null,
  detail text,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, inquiry_id)
);
call protect_tenant_table('inquiries', 'select, insert');

create table inbox (
  org_id uuid not null,
  provider text not null,
  dedupe_key text not null,
  reference text not null,
  payment_id uuid,
  verdict text not null check (verdict in ('verified', 'unsigned', 'forged')),
  provider_status text not null,
  result text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, provider, dedupe_key)
);
create index inbox_by_payment on inbox (org_id, payment_id) where payment_id is not null;
call protect_tenant_table('inbox', 'select, insert, update');

create table events (
  org_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  resource_id uuid not null,
  sequence integer not null,
  -- The event's data exactly as it is sent: bytes that are signed must not be made again from values.
  data text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, event_id)
);
create index events_by_resource on events (org_id, resource_id, sequence);
call protect_tenant_table('events', 'select, insert');

create table refunds (
  org_id uuid not null,
  refund_id uuid not null,
  payment_id uuid not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  currency text not null,
  reason text not null,
  state text not null check (state in ('sending', 'unknown', 'accepted', 'completed', 'failed')),
  reference uuid not null,
  provider text not null,
  provider_ref text,
  failure_code text,
  failure_message text,
  user_id text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, refund_id)
);
create unique index refunds_one_open on refunds (org_id, payment_id) where state in ('sending', 'unknown', 'accepted');
create index refunds_by_payment on refunds (org_id, payment_id);
create index refunds_by_reference on refunds (reference);
call protect_tenant_table('refunds', 'select, insert, update');

create table exceptions (
  org_id uuid not null,
  exception_id uuid not null,
  kind text not null,
  payment_id uuid,
  provider text,
  summary text not null,
  suggested_action text not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  resolution text,
  closed_by text,
  closed_at timestamptz(3),
  -- One open finding per thing found, however often it is found again.
  finding_key text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, exception_id)
);
create unique index exceptions_one_open on exceptions (org_id, finding_key) where status = 'open';
create index exceptions_by_age on exceptions (org_id, created_at, exception_id);
create index exceptions_by_payment on exceptions (org_id, payment_id) where payment_id is not null;
call protect_tenant_table('exceptions', 'select, insert, update');

create table approval_policies (
  org_id uuid not null,
  currency text not null,
  payout_from_minor numeric(38, 0) not null check (payout_from_minor > 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, currency)
);
call protect_tenant_table('approval_policies', 'select, insert, update, delete');

create table reviews (
  org_id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  decision text not null check (decision in ('approve', 'reject')),
  comments text,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, user_id)
);
call protect_tenant_table('reviews', 'select, insert');

-- Double entry as transfers: one debit, one credit, one amount, so every currency sums to zero by construction.
-- Append-only. `pending` holds; a row with kind `<kind>.resolved` and phase post or void ends the hold, once.
create table ledger_transfers (
  org_id uuid not null,
  cause_id uuid not null,
  kind text not null,
  phase text not null check (phase in ('posted', 'pending', 'post', 'void')),
  debit_account text not null,
  credit_account text not null,
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, cause_id, kind),
  check (debit_account <> credit_account)
);
create index ledger_transfers_by_debit on ledger_transfers (org_id, debit_account, currency);
create index ledger_transfers_by_credit on ledger_transfers (org_id, credit_account, currency);
call protect_tenant_table('ledger_transfers', 'select, insert');
