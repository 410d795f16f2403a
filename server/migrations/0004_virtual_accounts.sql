-- Accounts whose balance may not go below zero keep it in a row, changed in the transaction of each transfer.
-- Its row lock is the account's lock; `npm run audit` proves it equal to the sum of the transfers.
create table guarded_balances (
  org_id uuid not null,
  account text not null,
  currency text not null,
  available_minor numeric(38, 0) not null default 0,
  held_minor numeric(38, 0) not null default 0,
  entry_count integer not null default 0,
  primary key (org_id, account),
  constraint guarded_balances_not_below_zero check (available_minor >= 0),
  constraint guarded_balances_holds_not_below_zero check (held_minor >= 0)
) with (fillfactor = 70);
call protect_tenant_table('guarded_balances', 'select, insert, update');

-- One account after the other, in the order given, so that two transfers cannot wait for each other.
create function move_guarded(
  of_org uuid, accounts text[], currencies text[], available numeric[], held numeric[]
) returns void
  language plpgsql as $$
begin
  for place in 1 .. cardinality(accounts) loop
    update guarded_balances
    set available_minor = available_minor + available[place], held_minor = held_minor + held[place]
    where org_id = of_org and account = accounts[place] and currency = currencies[place];
    if not found then
      raise exception 'no guarded account % in %', accounts[place], currencies[place];
    end if;
  end loop;
end $$;

-- Fails the whole transaction when an account that was to be debited is frozen or closed.
create function assert_active(active bigint) returns void
  language plpgsql as $$
begin
  if active = 0 then
    raise exception 'the account is not active' using errcode = 'SY002';
  end if;
end $$;

-- As the API writes amounts: the currency's decimals, and at least one.
create function amount_text(minor numeric, exponent integer) returns text
  language sql immutable parallel safe
  return case exponent when 0 then minor::text || '.0' else
    case when minor < 0 then '-' else '' end ||
    regexp_replace(lpad(abs(minor)::text, greatest(length(abs(minor)::text), exponent + 1), '0'),
      '(.{' || exponent || '})$', '.\1') end;

create table virtual_accounts (
  org_id uuid not null,
  account_id uuid not null,
  user_id text not null,
  customer_id text,
  name text not null,
  currency text not null,
  account_type text not null check (account_type in ('currency', 'escrow')),
  status text not null default 'active' check (status in ('active', 'frozen', 'closed')),
  provider text not null,
  -- Where money can be sent to: number, name and bank, of an account that a provider opened.
  details_sealed bytea,
  -- A keyed hash of provider and account number, by which a deposit finds its account.
  number_index bytea,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, account_id),
  check ((details_sealed is null) = (number_index is null))
);
create index virtual_accounts_by_age on virtual_accounts (org_id, created_at, account_id);
create index virtual_accounts_by_number on virtual_accounts (number_index) where number_index is not null;
call protect_tenant_table('virtual_accounts', 'select, insert, update');

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

-- Money that came to an account that nobody has: held in suspense until a person assigns or returns it.
create table suspended_deposits (
  org_id uuid not null,
  exception_id uuid not null,
  provider text not null,
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

-- The virtual account that a payout is paid from; null when the organisation's own balance pays.
alter table payments
  add column funding_account_id uuid,
  add check (funding_account_id is null or direction = 'outbound');
