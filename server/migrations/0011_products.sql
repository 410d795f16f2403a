-- Payout batches, virtual accounts, escrow, ramps with the operator's wallet, and verification requests.

-- Payout batches

-- A file of payouts that is approved, sent, paused and canceled as one. A batch is stored whole or not at all.
create table payout_batches (
  org_id uuid not null,
  batch_id uuid not null,
  -- A hash of the rows, by which an upload that repeats a batch is recognised.
  fingerprint bytea not null,
  status text not null check (
    status in ('awaiting_approval', 'approved', 'sending', 'paused', 'completed', 'rejected', 'canceled')),
  description text,
  row_count integer not null check (row_count between 1 and 10000),
  -- What was asked for, per currency. It never changes, unlike the progress, which is derived from the rows.
  totals jsonb not null,
  ordered_by jsonb not null,
  created_by text not null,
  -- Who approved it first. The second approval, by an administrator, decides.
  reviewed_by text,
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
  check (reviewed_by <> created_by and decided_by <> created_by),
  check (status not in ('approved', 'sending', 'paused', 'completed') or decided_by is null or reviewed_by is not null),
  check (decided_by <> reviewed_by or status = 'rejected'),
  check (num_nonnulls(pause_code, pause_message) in (0, 2))
);
create index payout_batches_by_age on payout_batches (org_id, created_at, batch_id);
create index payout_batches_open on payout_batches (batch_id) where status in ('approved', 'sending');
create index payout_batches_by_fingerprint on payout_batches (org_id, fingerprint, created_at);
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

-- Virtual accounts

create table virtual_accounts (
  org_id uuid not null,
  account_id uuid not null,
  user_id text not null,
  customer_id text,
  name text not null,
  currency text not null,
  account_type text not null check (account_type in ('currency', 'escrow')),
  status text not null default 'active' check (status in ('active', 'frozen', 'closed')),
  -- A freeze is a resource of its own in events: its id is kept while the account is frozen.
  freeze_id uuid,
  provider text not null,
  provider_account_id uuid,
  custody text not null check (custody in ('pooled', 'own')),
  -- Where money can be sent to: number, name and bank, of an account that a provider opened.
  details_sealed bytea,
  -- A keyed hash of provider and account number, by which a deposit finds its account.
  number_index bytea,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, account_id),
  check ((details_sealed is null) = (number_index is null)),
  constraint virtual_accounts_name_their_provider_account
    check ((provider = 'internal') = (provider_account_id is null))
);
create index virtual_accounts_by_age on virtual_accounts (org_id, created_at, account_id);
create index virtual_accounts_by_number on virtual_accounts (number_index) where number_index is not null;
call protect_tenant_table('virtual_accounts', 'select, insert, update');

-- Fails the whole transaction when an account that was to be debited is frozen or closed.
create function assert_active(active bigint) returns void
  language plpgsql as $$
begin
  if active = 0 then
    raise exception 'the account is not active' using errcode = 'SY002';
  end if;
end $$;

create table virtual_transactions (
  org_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  user_id text not null,
  type text not null check (type in ('credit', 'debit')),
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed', 'reversed')),
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  currency text not null,
  description text not null,
  payment_rail text not null check (payment_rail in ('internal', 'bank_transfer', 'mobile_money', 'card', 'crypto')),
  reference text not null,
  -- Given when it is booked: its place in the statement, and the balance from there on.
  entry_no integer,
  balance_after_minor numeric(38, 0),
  booked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, transaction_id),
  check ((entry_no is not null) = (status in ('completed', 'reversed'))),
  check ((entry_no is null) = (balance_after_minor is null) and (entry_no is null) = (booked_at is null))
) with (fillfactor = 85);
create index virtual_transactions_by_age on virtual_transactions (org_id, account_id, created_at, transaction_id);
create unique index virtual_transactions_by_entry on virtual_transactions (org_id, account_id, entry_no)
  where entry_no is not null;
call protect_tenant_table('virtual_transactions', 'select, insert, update');

-- As the API writes amounts: the currency's decimals, and at least one.
create function amount_text(minor numeric, exponent integer) returns text
  language sql immutable parallel safe
  return case exponent when 0 then minor::text || '.0' else
    case when minor < 0 then '-' else '' end ||
    regexp_replace(lpad(abs(minor)::text, greatest(length(abs(minor)::text), exponent + 1), '0'),
      '(.{' || exponent || '})$', '.\1') end;

-- Money that came to an account that nobody has: held in suspense until a person assigns or returns it.
create table suspended_deposits (
  org_id uuid not null,
  exception_id uuid not null,
  provider text not null,
  account_id uuid not null,
  provider_ref text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  currency text not null,
  sender_sealed bytea not null,
  status text not null default 'open' check (status in ('open', 'assigned', 'returned')),
  transaction_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, exception_id)
);
call protect_tenant_table('suspended_deposits', 'select, insert, update');

-- Escrow

-- A project whose money is in a virtual account of its own (account_type escrow) until milestones are disbursed.
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
  -- On whose order the engine pays: user, credential and origin, for the audit log.
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
  -- Those of earlier tries, which have failed.
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

-- Ramps

-- What a ramp adds to its payment (direction external): both assets, the plan, and where its saga stands.
create table ramps (
  org_id uuid not null,
  payment_id uuid not null,
  direction text not null check (direction in ('on_ramp', 'off_ramp')),
  fiat_currency text not null,
  fiat_minor numeric(38, 0) not null check (fiat_minor > 0),
  crypto_currency text not null,
  crypto_network text not null,
  crypto_minor numeric(38, 0) not null check (crypto_minor > 0),
  rate numeric(40, 18) not null check (rate > 0),
  wallet_address text,
  -- Who carries each leg, in the order in which they are tried.
  routes jsonb not null,
  phase text not null check (phase in ('collecting', 'delivering', 'refunding', 'watching', 'closed')),
  -- Of the asset that is collected: what has arrived, and what of it is in suspense until a person resolves it.
  received_minor numeric(38, 0) not null default 0 check (received_minor >= 0),
  suspended_minor numeric(38, 0) not null default 0 check (suspended_minor between 0 and received_minor),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id)
) with (fillfactor = 85);
create index ramps_open on ramps (payment_id) where phase <> 'closed';
call protect_tenant_table('ramps', 'select, insert, update');

-- One try at one leg at one provider. Written before anything is sent, like an attempt of a payment.
create table ramp_legs (
  org_id uuid not null,
  payment_id uuid not null,
  leg_no smallint not null,
  kind text not null check (kind in ('collection', 'delivery', 'refund', 'whole')),
  provider text not null,
  config_id uuid not null,
  account_id uuid,
  custody text not null check (custody in ('pooled', 'own')),
  network_code text,
  method text not null check (method in ('bank_transfer', 'mobile_money', 'crypto')),
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  reference uuid not null,
  state text not null check (state in ('sending', 'accepted', 'succeeded', 'failed', 'declined', 'not_sent', 'unknown')),
  provider_ref text,
  provider_status text,
  outcome_code text,
  outcome_message text,
  reached_customer boolean not null default false,
  not_found_count integer not null default 0,
  looks integer not null default 0,
  resolution_id uuid,
  -- The record of the screening that allowed it to be sent, written by a trigger.
  screening_id uuid,
  deadline_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, leg_no),
  -- The operator's wallet is no account at a provider.
  constraint ramp_legs_name_their_account check ((provider = 'crypto') = (account_id is null))
) with (fillfactor = 85);
create unique index ramp_legs_one_open on ramp_legs (org_id, payment_id) where state in ('sending', 'accepted', 'unknown');
create index ramp_legs_by_reference on ramp_legs (reference);
create index ramp_legs_by_provider_ref on ramp_legs (provider, provider_ref) where provider_ref is not null;
-- Nobody waits for crypto at an address where somebody else does: one deposit would pay for both.
create unique index ramp_legs_one_per_address on ramp_legs (provider, provider_ref)
  where kind = 'collection' and method = 'crypto';
create index ramp_legs_open_by_account on ramp_legs (account_id) where state in ('sending', 'accepted', 'unknown');
call protect_tenant_table('ramp_legs', 'select, insert, update');

-- Every leg: what a ramp collects could not be sent on.
create trigger refuse_suspended before insert on ramp_legs
  for each row execute function refuse_suspended_outflow();
create trigger refuse_unscreened before insert on ramp_legs
  for each row when (new.state = 'sending') execute function refuse_unscreened();

-- Addresses that crypto may or may not be sent to. An entry of the installation holds for everybody.
create table screened_addresses (
  org_id uuid not null,
  address text not null check (length(address) between 10 and 128),
  verdict text not null check (verdict in ('allow', 'deny')),
  reason text not null,
  user_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, address)
);
call protect_tenant_table('screened_addresses', 'select, insert, update, delete');
call share_installation_rows('screened_addresses');

-- The operator's wallet

-- The next nonce of each of our own accounts on a chain. It belongs to the installation, whose wallet it is.
create table wallet_nonces (
  chain_id bigint not null,
  address text not null,
  next_nonce bigint not null check (next_nonce >= 0),
  primary key (chain_id, address)
);
grant select, insert, update on wallet_nonces to switchyard_system;

-- Whether tokens are ever sent under a reference, decided once: whoever gives up may not have been the only one.
create table wallet_decisions (
  org_id uuid not null,
  reference uuid not null,
  verdict text not null check (verdict in ('send', 'never')),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, reference)
);
call protect_tenant_table('wallet_decisions', 'select, insert');

-- One transfer of a token for one leg, bound to one nonce for ever: the chain mines at most one of its versions.
create table wallet_transfers (
  org_id uuid not null,
  reference uuid not null,
  chain_id bigint not null,
  token text not null,
  from_address text not null,
  to_address text not null,
  amount_minor numeric(78, 0) not null check (amount_minor > 0),
  nonce bigint not null check (nonce >= 0),
  state text not null check (state in ('open', 'confirmed', 'reverted', 'displaced')),
  tx_hash text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, reference)
);
create unique index wallet_transfers_one_per_nonce on wallet_transfers (chain_id, from_address, nonce);
create index wallet_transfers_open on wallet_transfers (chain_id, from_address, token)
  include (amount_minor) where state = 'open';
call protect_tenant_table('wallet_transfers', 'select, insert, update');

-- Every signed version, written before it is broadcast. Sending one again is harmless.
create table wallet_transactions (
  org_id uuid not null,
  reference uuid not null,
  version_no smallint not null,
  tx_hash text not null,
  signed_transaction text not null,
  max_fee_wei numeric(78, 0) not null,
  priority_fee_wei numeric(78, 0) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, reference, version_no)
);
call protect_tenant_table('wallet_transactions', 'select, insert');

create sequence wallet_deposit_index as integer minvalue 0 start with 0;
grant usage on sequence wallet_deposit_index to switchyard_app, switchyard_system;

create table wallet_deposit_addresses (
  org_id uuid not null,
  reference uuid not null,
  chain_id bigint not null,
  token text not null,
  address text not null,
  derivation_index integer not null,
  -- Every block up to here is deep enough to be final and has been searched.
  scanned_block bigint not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, reference)
);
call protect_tenant_table('wallet_deposit_addresses', 'select, insert, update');

-- Deposits in blocks that are deep enough to be final.
create table wallet_deposits (
  org_id uuid not null,
  reference uuid not null,
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  from_address text not null,
  amount_minor numeric(78, 0) not null check (amount_minor > 0),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, reference, tx_hash, log_index)
);
call protect_tenant_table('wallet_deposits', 'select, insert');

-- Verification requests

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
