-- Who has to decide: an administrator of the organisation, or the operator where the money is pooled.
alter table change_requests
  add column approver text not null default 'administrator' check (approver in ('administrator', 'operator'));

-- What two people decided about a payment, a refund or a leg that its provider never told the outcome of. Append-only.
create table resolutions (
  org_id uuid not null,
  -- The id of the change request.
  resolution_id uuid not null,
  payment_id uuid not null,
  attempt_no smallint,
  leg_no smallint,
  refund_id uuid,
  outcome text not null check (outcome in ('completed', 'failed', 'returned')),
  evidence text not null,
  provider_reference text,
  proposed_by text not null,
  approved_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, resolution_id),
  check (proposed_by <> approved_by),
  check (num_nonnulls(attempt_no, leg_no, refund_id) = 1)
);
create index resolutions_by_payment on resolutions (org_id, payment_id);
call protect_tenant_table('resolutions', 'select, insert');

alter table attempts add column resolution_id uuid;
alter table ramp_legs add column resolution_id uuid;
alter table refunds add column resolution_id uuid;

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

alter table exceptions add column assignee_id text;

-- What people found out about an exception. Append-only.
create table exception_notes (
  org_id uuid not null,
  exception_id uuid not null,
  note_id uuid not null,
  user_id text not null,
  note text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, exception_id, note_id)
);
call protect_tenant_table('exception_notes', 'select, insert');
