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
  phase text not null check (phase in ('collecting', 'settling', 'refunding', 'watching', 'closed')),
  -- Of the asset that is collected: what has arrived, and what of it is kept apart for a person.
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
  kind text not null check (kind in ('collection', 'settlement', 'refund', 'whole')),
  provider text not null,
  config_id uuid not null,
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
  not_found_count smallint not null default 0,
  looks integer not null default 0,
  deadline_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, leg_no)
) with (fillfactor = 85);
create unique index ramp_legs_one_open on ramp_legs (org_id, payment_id) where state in ('sending', 'accepted', 'unknown');
create index ramp_legs_by_reference on ramp_legs (reference);
create index ramp_legs_by_provider_ref on ramp_legs (provider, provider_ref) where provider_ref is not null;
-- Nobody waits for crypto where somebody else does: one deposit would pay for both.
create unique index ramp_legs_one_per_address on ramp_legs (provider, provider_ref)
  where kind = 'collection' and method = 'crypto';
call protect_tenant_table('ramp_legs', 'select, insert, update');

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
  -- Every block up to here is deep enough to stay and has been searched.
  scanned_block bigint not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, reference)
);
call protect_tenant_table('wallet_deposit_addresses', 'select, insert, update');

-- Deposits in blocks that are deep enough to stay.
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
