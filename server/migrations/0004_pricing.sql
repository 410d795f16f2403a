-- Fees, rates, credit limits and approval policies.

-- The operator's prices. A schedule never changes: new terms are a new row, so that the id in a payment always
-- means the terms that the payment was charged by. The installation's rows apply to every organisation.
create table fee_schedules (
  org_id uuid not null,
  schedule_id uuid not null,
  label text not null,
  direction text check (direction in ('inbound', 'outbound')),
  payment_method text,
  country text,
  currency text,
  -- Millionths of the amount: 15000 is 1.5 percent.
  rate_millionths integer not null check (rate_millionths between 0 and 1000000),
  fixed_minor numeric(38, 0) not null check (fixed_minor >= 0),
  minimum_minor numeric(38, 0) not null check (minimum_minor >= 0),
  maximum_minor numeric(38, 0) check (maximum_minor >= minimum_minor),
  is_returned boolean not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3),
  primary key (org_id, schedule_id),
  -- Amounts in minor units mean nothing without their currency.
  check (currency is not null or (fixed_minor = 0 and minimum_minor = 0 and maximum_minor is null))
);
create index fee_schedules_active on fee_schedules (org_id) where retired_at is null;
call protect_tenant_table('fee_schedules', 'select');
call share_installation_rows('fee_schedules');
grant insert, update on fee_schedules to switchyard_system;

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
  -- What payments may use of it, and of all unexpired quotes of the pair together, in the source currency; null is no
  -- limit. The quotes of payment pages have a total of their own, so that payers do not use up that of members.
  limit_minor numeric(38, 0) check (limit_minor >= 0),
  pair_limit_minor numeric(38, 0) check (pair_limit_minor >= 0),
  used_minor numeric(38, 0) not null default 0,
  is_for_payers boolean not null default false,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, org_rate_id)
) partition by range (org_rate_id);
create index rate_quotes_by_pair on rate_quotes (org_id, from_currency, to_currency, expires_at);
call protect_tenant_table('rate_quotes', 'select, insert');
grant update (used_minor) on rate_quotes to switchyard_app, switchyard_system;

create table rate_quotes_first partition of rate_quotes
  for values from (minvalue) to (first_id_at(date_trunc('month', now(), 'UTC')));
alter table rate_quotes_first enable row level security, force row level security;

-- How far below zero the operator lets the pooled balance of an organisation go.
create table credit_limits (
  org_id uuid not null,
  currency text not null,
  limit_minor numeric(38, 0) not null check (limit_minor >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, currency)
);
call protect_tenant_table('credit_limits', 'select');
grant insert, update, delete on credit_limits to switchyard_system;

create table approval_policies (
  org_id uuid not null,
  currency text not null,
  payout_from_minor numeric(38, 0) not null check (payout_from_minor > 0),
  -- The sum over the last 24 hours from which every payout needs approval; null when there is no such limit.
  daily_from_minor numeric(38, 0) check (daily_from_minor > 0),
  -- The same for refunds, which do not wait where these are null.
  refund_from_minor numeric(38, 0) check (refund_from_minor > 0),
  refund_daily_from_minor numeric(38, 0) check (refund_daily_from_minor > 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, currency)
);
call protect_tenant_table('approval_policies', 'select, insert, update, delete');
