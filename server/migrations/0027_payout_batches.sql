-- A file of payouts that is approved, sent, paused and canceled as one. A batch is stored whole or not at all.
create table payout_batches (
  org_id uuid not null,
  batch_id uuid not null,
  status text not null check (
    status in ('awaiting_approval', 'approved', 'sending', 'paused', 'completed', 'rejected', 'canceled')),
  description text,
  row_count integer not null check (row_count between 1 and 10000),
  -- What was asked for, per currency. It never changes, unlike the progress, which is derived from the rows.
  totals jsonb not null,
  ordered_by jsonb not null,
  created_by text not null,
  -- Null in a batch that needed no approval.
  decided_by text,
  comments text,
  pause_code text,
  pause_message text,
  event_count integer not null default 0,
  sent_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, batch_id),
  -- Nobody approves a batch of their own.
  check (decided_by <> created_by),
  check (num_nonnulls(pause_code, pause_message) in (0, 2))
);
create index payout_batches_by_age on payout_batches (org_id, created_at, batch_id);
create index payout_batches_open on payout_batches (batch_id) where status in ('approved', 'sending');
call protect_tenant_table('payout_batches', 'select, insert, update');

create table payout_batch_rows (
  org_id uuid not null,
  batch_id uuid not null,
  row_no integer not null,
  -- Chosen when the batch is stored, so that a row that is sent twice is refused by the payment's primary key.
  payment_id uuid not null,
  client_reference text not null,
  beneficiary_id uuid not null,
  -- The version of the beneficiary that was approved.
  beneficiary_updated_at timestamptz(3) not null,
  country text not null,
  payment_method text not null,
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  description text,
  -- Sent: its payment exists.
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'canceled')),
  failure_code text,
  failure_message text,
  updated_at timestamptz(3) not null,
  primary key (org_id, batch_id, row_no),
  foreign key (org_id, batch_id) references payout_batches
);
create unique index payout_batch_rows_by_payment on payout_batch_rows (org_id, payment_id);
create index payout_batch_rows_by_state on payout_batch_rows (org_id, batch_id, state, row_no);
create index payout_batch_rows_pending on payout_batch_rows (org_id, currency) where state = 'pending';
call protect_tenant_table('payout_batch_rows', 'select, insert, update');
