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

-- What the payment costs the organisation, decided when it was initiated: in the source currency of a payout, in the
-- target currency of a payin.
alter table payments
  add column fee_schedule_id uuid,
  add column fee_minor numeric(38, 0) check (fee_minor > 0),
  add column fee_currency text,
  add column fee_is_returned boolean,
  add constraint payments_fee_is_whole
    check (num_nonnulls(fee_schedule_id, fee_minor, fee_currency, fee_is_returned) in (0, 4));

-- What the provider charged for the attempt, where it tells.
alter table attempts
  add column cost_minor numeric(38, 0) check (cost_minor > 0),
  add column cost_currency text,
  add constraint attempts_cost_is_whole check (num_nonnulls(cost_minor, cost_currency) in (0, 2));
