-- Accounts at providers, configurations of corridors, and what providers say about networks and banks.

-- A merchant account at a provider. The rows of the nil organisation are the installation's, which every organisation
-- may use. Everything that is sent names the account that carries it, so that keys can change and accounts be
-- replaced while payments are under way.
create table provider_accounts (
  org_id uuid not null,
  account_id uuid not null,
  provider text not null,
  label text not null check (length(label) between 1 and 200),
  -- The provider's own id of the account, where it can be asked for it.
  external_account_id text,
  status text not null default 'active' check (status in ('active', 'retired')),
  -- Null for a rail that needs no keys.
  credentials_sealed bytea,
  -- When the keys were replaced, if ever: "not found" proves nothing about what was sent under the former ones.
  keys_changed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, account_id)
);
create index provider_accounts_by_id on provider_accounts (account_id);
create index provider_accounts_by_provider on provider_accounts (org_id, provider);
-- Manual payments need no keys, so nobody adds an account for them. Row level security would refuse it to the owner.
insert into provider_accounts (org_id, account_id, provider, label)
  values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'manual', 'manual');
call protect_tenant_table('provider_accounts', 'select, insert, update');
call share_installation_rows('provider_accounts');

create table provider_configs (
  org_id uuid not null,
  config_id uuid not null,
  provider text not null,
  -- Null: the only account that the owner has at the provider.
  account_id uuid,
  country char(2) not null,
  payment_method text not null check (payment_method in ('bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet')),
  direction text not null check (direction in ('inbound', 'outbound', 'external')),
  api_version text,
  priority integer not null default 100,
  is_active boolean not null default true,
  webhook_required boolean not null default false,
  min_amount numeric(38, 18),
  max_amount numeric(38, 18),
  description text,
  webhook_url text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, config_id)
);
create index provider_configs_by_corridor on provider_configs (org_id, country, payment_method, direction);
call protect_tenant_table('provider_configs', 'select, insert, update, delete');
call share_installation_rows('provider_configs');

-- What connectors say of mobile money networks; refreshed by the engine.
create table networks (
  provider text not null,
  country char(2) not null,
  code text not null,
  brand text not null,
  name text not null,
  currency text not null,
  directions text[] not null,
  min_amount text,
  max_amount text,
  status text not null check (status in ('operational', 'delayed', 'closed')),
  refreshed_at timestamptz(3) not null default now(),
  primary key (provider, country, code, currency)
);
grant select on networks to switchyard_app;
grant select, insert, update, delete on networks to switchyard_system;

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
