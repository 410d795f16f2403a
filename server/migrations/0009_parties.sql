-- Beneficiaries and payment links.

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

-- How many names an organisation has looked up at banks since the window began.
create table name_check_budgets (
  org_id uuid not null,
  window_started_at timestamptz(3) not null,
  checks integer not null,
  primary key (org_id)
);
call protect_tenant_table('name_check_budgets', 'select, insert, update');

create table payment_links (
  org_id uuid not null,
  link_id uuid not null,
  link_ref text not null check (length(link_ref) between 22 and 64),
  user_id text not null,
  amount_type text not null check (amount_type in ('fixed', 'open')),
  amount_minor numeric(38, 0) not null check (amount_minor > 0 or amount_type = 'open'),
  currency text not null,
  payer_currency text not null,
  country char(2),
  description text not null,
  client_reference text,
  return_url text,
  private_sealed bytea not null,
  status text not null default 'active' check (status in ('active', 'paid', 'expired', 'canceled')),
  -- Raised by every write; a payer's start names the version that the payer saw.
  version integer not null default 1,
  -- The payment behind the link: the last that was started, or the one that paid it.
  payment_id uuid,
  -- The browser that started it.
  session_hash bytea,
  -- The rate that payers are shown at the moment.
  org_rate_id uuid,
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, link_id),
  check ((status = 'paid') = (paid_at is not null))
);
-- Not unique: the reference is 160 random bits, and a constraint without org_id would not shard.
create index payment_links_by_ref on payment_links (link_ref);
create index payment_links_by_age on payment_links (org_id, created_at, link_id);
create index payment_links_by_expiry on payment_links (expires_at) where status = 'active';
call protect_tenant_table('payment_links', 'select, insert, update');
