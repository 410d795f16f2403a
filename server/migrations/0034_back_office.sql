-- Why a payment waits for approval. `is_waiting` ends with the status that it waits in; it is a column of its own because
-- an index over the status of payments would make every update of a payment touch all indexes.
create table review_requests (
  org_id uuid not null,
  payment_id uuid not null,
  -- Null for payments that waited when this table was created.
  cause text check (cause in ('amount', 'rate', 'daily')),
  policy_currency text,
  payout_from_minor numeric(38, 0),
  daily_from_minor numeric(38, 0),
  is_waiting boolean not null default true,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id),
  check ((cause is null) = (policy_currency is null) and (cause is null) = (payout_from_minor is null))
);
create index review_requests_waiting on review_requests (org_id, created_at, payment_id) where is_waiting;
call protect_tenant_table('review_requests', 'select, insert, update');
insert into review_requests (org_id, payment_id, created_at)
  select org_id, payment_id, created_at from payments where is_open and status in ('initiated', 'reviewed');

-- The list of transfers, and the health of providers as their attempts show it.
create index ledger_transfers_by_age on ledger_transfers (org_id, created_at, cause_id, kind);
create index attempts_by_org_age on attempts (org_id, created_at);

-- What each comparison with a provider's list found.
create table reconciliation_runs (
  org_id uuid not null,
  run_id uuid not null,
  provider text not null,
  account_id uuid not null,
  origin text not null check (origin in ('nightly', 'requested')),
  requested_by text,
  since timestamptz(3) not null,
  status text not null check (status in ('completed', 'failed')),
  checked integer,
  findings integer,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  primary key (org_id, run_id)
);
create index reconciliation_runs_by_age on reconciliation_runs (org_id, started_at, run_id);
call protect_tenant_table('reconciliation_runs', 'select, insert');

-- The banks that providers can pay to, as the installation's accounts list them.
create table banks (
  provider text not null,
  country char(2) not null,
  code text not null,
  name text not null,
  refreshed_at timestamptz(3) not null default now(),
  primary key (provider, country, code)
);
grant select on banks to switchyard_app;
grant select, insert, update, delete on banks to switchyard_system;

alter table api_keys add column last_used_at timestamptz(3);

-- What waits for one member, in one call.
create index change_requests_pending on change_requests (created_at) where status = 'pending';
create index exceptions_assigned on exceptions (assignee_id, created_at) where status = 'open' and assignee_id is not null;
