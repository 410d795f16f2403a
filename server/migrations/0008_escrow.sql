-- A project whose money lies in a virtual account of its own (account_type escrow) until milestones are disbursed.
-- The project's row lock orders everything that callers and the engine decide about it.
create table escrows (
  org_id uuid not null,
  escrow_id uuid not null,
  user_id text not null,
  name text not null check (length(name) between 1 and 200),
  description text,
  currency text not null,
  account_id uuid not null,
  status text not null default 'active' check (status in ('active', 'canceled')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, escrow_id)
);
create index escrows_by_age on escrows (org_id, created_at, escrow_id);
call protect_tenant_table('escrows', 'select, insert, update');

create table escrow_parties (
  org_id uuid not null,
  party_id uuid not null,
  escrow_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  account_id uuid,
  beneficiary_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, party_id),
  check (num_nonnulls(account_id, beneficiary_id) = 1)
);
create index escrow_parties_by_escrow on escrow_parties (org_id, escrow_id, party_id);
call protect_tenant_table('escrow_parties', 'select, insert');

-- What came in, from which account, and how much of it went back there.
create table escrow_fundings (
  org_id uuid not null,
  funding_id uuid not null,
  escrow_id uuid not null,
  account_id uuid not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  returned_minor numeric(38, 0) not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, funding_id),
  check (returned_minor between 0 and amount_minor)
);
create index escrow_fundings_by_escrow on escrow_fundings (org_id, escrow_id, funding_id);
call protect_tenant_table('escrow_fundings', 'select, insert, update');

create table escrow_milestones (
  org_id uuid not null,
  milestone_id uuid not null,
  escrow_id uuid not null,
  label text not null check (length(label) between 1 and 200),
  description text,
  sequence integer not null check (sequence > 0),
  expected_minor numeric(38, 0) not null check (expected_minor > 0),
  covered_minor numeric(38, 0) not null default 0,
  status text not null default 'pending'
    check (status in ('pending', 'submitted', 'approved', 'disbursing', 'disbursed', 'canceled')),
  due_date date,
  contract_reference text,
  contract_url text,
  contract_submitted_at timestamptz(3),
  disbursed_at timestamptz(3),
  -- On whose word the engine pays: user, credential and origin, for the audit log.
  ordered_by jsonb,
  event_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, milestone_id),
  check (covered_minor between 0 and expected_minor)
);
create unique index escrow_milestones_by_sequence on escrow_milestones (org_id, escrow_id, sequence);
create index escrow_milestones_under_way on escrow_milestones (milestone_id) where status = 'disbursing';
call protect_tenant_table('escrow_milestones', 'select, insert, update');

-- Agreed: minor units when fixed, millionths of a percent otherwise.
create table escrow_splits (
  org_id uuid not null,
  milestone_id uuid not null,
  party_id uuid not null,
  split_type text not null check (split_type in ('percentage', 'fixed')),
  split_value numeric(38, 0) not null check (split_value >= 0),
  primary key (org_id, milestone_id, party_id)
);
call protect_tenant_table('escrow_splits', 'select, insert, update');

-- To be paid: what each party gets of a milestone whose disbursement has been ordered. `payment_id` is chosen before
-- anything is sent and is the id of the payout or of the book transfer, so neither can happen twice.
create table escrow_shares (
  org_id uuid not null,
  milestone_id uuid not null,
  party_id uuid not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  state text not null default 'pending' check (state in ('pending', 'paying', 'paid', 'failed', 'stuck')),
  payment_id uuid not null,
  -- Those of earlier tries, which came to nothing.
  tried_payment_ids uuid[] not null default '{}',
  tries integer not null default 0,
  retry_at timestamptz(3),
  failure_code text,
  failure_message text,
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, milestone_id, party_id)
);
create unique index escrow_shares_by_payment on escrow_shares (org_id, payment_id);
call protect_tenant_table('escrow_shares', 'select, insert, update');
