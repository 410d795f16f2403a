-- What follows a payment: webhooks of providers, disputes, reconciliation and corrections of the ledger.

create table inbox (
  org_id uuid not null,
  provider text not null,
  account_id uuid not null,
  dedupe_key text not null,
  reference text not null,
  payment_id uuid,
  verdict text not null check (verdict in ('verified', 'provider', 'unsigned', 'forged')),
  provider_status text not null,
  result text not null,
  created_at timestamptz(3) not null default now(),
  -- Messages of two accounts are never repeats of each other.
  primary key (org_id, provider, account_id, dedupe_key)
);
create index inbox_by_payment on inbox (org_id, payment_id) where payment_id is not null;
-- Deposits to virtual accounts are found again by the id that the provider gave them.
create index inbox_deposits on inbox (org_id, provider, reference) where provider_status = 'deposit';
call protect_tenant_table('inbox', 'select, insert, update');

-- A payer disputes a completed payin at their bank. The state follows the provider's messages; `round` is 2 after a
-- second chargeback. `moves` counts the movements of money that are booked, `withdrawn_minor` is what is out now.
create table disputes (
  org_id uuid not null,
  dispute_id uuid not null,
  payment_id uuid not null,
  provider text not null,
  account_id uuid not null,
  custody text not null check (custody in ('pooled', 'own')),
  provider_ref text not null check (length(provider_ref) between 1 and 255),
  state text not null check (state in ('warning', 'needs_response', 'under_review', 'won', 'lost', 'accepted')),
  round smallint not null default 1 check (round in (1, 2)),
  reason text not null,
  provider_reason text not null,
  provider_status text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  currency text not null,
  due_by timestamptz(3),
  reported_at timestamptz(3),
  moves smallint not null default 0,
  withdrawn_minor numeric(38, 0) not null default 0 check (withdrawn_minor >= 0),
  -- What people asked the provider to do, until its outcome is known.
  action text check (action in ('submit', 'accept')),
  action_state text check (action_state in ('sending', 'unknown')),
  action_reference uuid,
  action_by text,
  action_at timestamptz(3),
  submitted_at timestamptz(3),
  reminded_at timestamptz(3),
  event_count integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  primary key (org_id, dispute_id),
  check ((action is null) = (action_state is null) and (action is null) = (action_reference is null)),
  check ((closed_at is null) = (state in ('warning', 'needs_response', 'under_review')))
);
create unique index disputes_by_provider_ref on disputes (org_id, account_id, provider_ref);
create index disputes_by_age on disputes (org_id, created_at, dispute_id);
create index disputes_by_payment on disputes (org_id, payment_id);
create index disputes_open on disputes (account_id) where closed_at is null;
create index disputes_acting on disputes (dispute_id) where action is not null;
call protect_tenant_table('disputes', 'select, insert, update');

-- Each movement of the disputed money that the provider reported: odd ones withdraw it, even ones return it.
create table dispute_moves (
  org_id uuid not null,
  dispute_id uuid not null,
  move_no smallint not null check (move_no between 1 and 4),
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  currency text not null,
  -- The part that exceeds the payment, which is in suspense.
  excess_minor numeric(38, 0) not null default 0 check (excess_minor >= 0 and excess_minor <= amount_minor),
  -- What the provider charges for a withdrawal, or gives back with a return.
  cost_minor numeric(38, 0) not null default 0 check (cost_minor >= 0),
  cost_currency text not null,
  -- For an exchanged payin, the amount on the other side at the payment's rate.
  exchanged_minor numeric(38, 0),
  exchanged_currency text,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, dispute_id, move_no)
);
call protect_tenant_table('dispute_moves', 'select, insert');

-- Texts and files, sealed by the vault: they contain data about the payer.
create table dispute_evidence (
  org_id uuid not null,
  evidence_id uuid not null,
  dispute_id uuid not null,
  kind text not null check (kind in ('text', 'file')),
  field text not null,
  file_name text,
  content_type text,
  size_bytes integer not null check (size_bytes > 0),
  content_sealed bytea not null,
  user_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, evidence_id)
);
create index dispute_evidence_by_dispute on dispute_evidence (org_id, dispute_id, created_at, evidence_id);
call protect_tenant_table('dispute_evidence', 'select, insert, update');

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

-- How far the provider was asked again about payments that it has completed long ago. It starts anew at the end.
create table reconciliation_reviews (
  org_id uuid not null,
  account_id uuid not null,
  reviewed_until timestamptz(3) not null,
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, account_id)
);
call protect_tenant_table('reconciliation_reviews', 'select, insert, update');

-- What a comparison has read from a provider's list and matched with an attempt, for as long as it runs. Not logged: a
-- comparison that loses rows to a crash of Postgres notices and is made again.
create unlogged table listed_transactions (
  org_id uuid not null,
  comparison_id uuid not null,
  part_no integer not null,
  -- Our reference of the attempt, and its organisation. The provider's account belongs to org_id.
  reference uuid not null,
  attempt_org_id uuid not null,
  provider_ref text not null,
  -- Of this transaction alone: an attempt may have several.
  verdict text not null check (verdict in ('agrees', 'differs', 'skipped')),
  part jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, comparison_id, part_no)
);
create index listed_transactions_by_reference on listed_transactions (org_id, comparison_id, reference, part_no);
call protect_tenant_table('listed_transactions', 'select, insert, delete');

-- Corrections of the ledger that two people made. Append-only: a wrong one is corrected by another.
create table ledger_adjustments (
  org_id uuid not null,
  -- The id of the change request, and the cause of the transfer.
  adjustment_id uuid not null,
  debit_account text not null,
  credit_account text not null,
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  reason text not null,
  payment_id uuid,
  proposed_by text not null,
  approved_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, adjustment_id),
  check (proposed_by <> approved_by),
  check (debit_account <> credit_account)
);
create index ledger_adjustments_by_age on ledger_adjustments (org_id, created_at, adjustment_id);
create index ledger_adjustments_by_payment on ledger_adjustments (org_id, payment_id) where payment_id is not null;
call protect_tenant_table('ledger_adjustments', 'select, insert');
