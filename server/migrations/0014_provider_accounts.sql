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
  seal_context text not null,
  -- When the keys were replaced, if ever: "not found" proves nothing about what was sent under the former ones.
  keys_changed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, account_id)
);
create index provider_accounts_by_id on provider_accounts (account_id);
create index provider_accounts_by_provider on provider_accounts (org_id, provider);
call protect_tenant_table('provider_accounts', 'select, insert, update');
call share_installation_rows('provider_accounts');

-- provider_credentials remains for processes of the previous release.
insert into provider_accounts (org_id, account_id, provider, label, credentials_sealed, seal_context,
                               created_at, updated_at)
  select org_id, gen_random_uuid(), provider, provider, credentials_sealed, 'credentials ' || provider,
         created_at, updated_at
  from provider_credentials;

-- Manual payments need no keys, so the installation may have made them without a row.
insert into provider_accounts (org_id, account_id, provider, label, seal_context)
  select '00000000-0000-0000-0000-000000000000', made.account_id, 'manual', 'manual', 'provider account ' || made.account_id
  from (select gen_random_uuid() as account_id) made
  where not exists (select from provider_accounts where provider = 'manual'
    and org_id = '00000000-0000-0000-0000-000000000000');

alter table organizations add column own_accounts_only boolean not null default false;

alter table provider_configs add column account_id uuid;

-- Until now a global configuration used the organisation's own keys where it had some. From now on a configuration
-- uses an account of its own owner, so these organisations get configurations of their own.
insert into provider_configs (org_id, config_id, provider, country, payment_method, direction, api_version, priority,
                              is_active, webhook_required, min_amount, max_amount, description, account_id)
  select own.org_id, gen_random_uuid(), config.provider, config.country, config.payment_method, config.direction,
         config.api_version, config.priority, config.is_active, config.webhook_required, config.min_amount,
         config.max_amount, config.description, own.account_id
  from provider_configs config join provider_accounts own on own.provider = config.provider
  where config.org_id = '00000000-0000-0000-0000-000000000000'
    and own.org_id <> '00000000-0000-0000-0000-000000000000'
    and not exists (
      select from provider_configs known
      where known.org_id = own.org_id and known.provider = config.provider and known.country = config.country
        and known.payment_method = config.payment_method and known.direction = config.direction);

-- The account that carried something before accounts were recorded: the organisation's own if it existed by then,
-- else the installation's.
create function inferred_account(of_org uuid, of_provider text, sent_at timestamptz) returns provider_accounts
  language sql stable as $$
  select account from provider_accounts account
  where account.provider = of_provider
    and account.org_id in (of_org, '00000000-0000-0000-0000-000000000000')
  order by account.org_id = of_org and account.created_at > sent_at,
           account.org_id <> of_org, account.created_at
  limit 1
$$;

create function custody_of(account provider_accounts) returns text
  language sql immutable
  return case when account.org_id <> '00000000-0000-0000-0000-000000000000' then 'own' else 'pooled' end;

alter table attempts
  add column account_id uuid,
  add column custody text check (custody in ('pooled', 'own')),
  -- The account was inferred from the provider's name, by this migration or for a process of the previous release.
  add column account_inferred boolean not null default false;
alter table refunds add column account_id uuid;
alter table ramp_legs
  -- Null for the operator's wallet.
  add column account_id uuid,
  add column custody text not null default 'pooled' check (custody in ('pooled', 'own'));
alter table virtual_accounts
  -- Null for an internal account.
  add column provider_account_id uuid,
  add column custody text not null default 'pooled' check (custody in ('pooled', 'own'));
alter table suspended_deposits add column account_id uuid;
alter table payments
  add column account_id uuid,
  add column custody text check (custody in ('pooled', 'own'));
alter table exceptions
  add column held_account_id uuid,
  add column held_custody text check (held_custody in ('pooled', 'own'));
alter table inbox
  add column account_id uuid not null default '00000000-0000-0000-0000-000000000000';

-- Keys are never deleted, so only a provider that never had any is without an account here.
insert into provider_accounts (org_id, account_id, provider, label, status, seal_context)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), provider, provider, 'retired', 'none'
  from (select distinct provider from attempts) sent
  where not exists (select from provider_accounts known where known.provider = sent.provider
    and known.org_id = '00000000-0000-0000-0000-000000000000');

update attempts set account_id = account.account_id, custody = custody_of(account), account_inferred = true
  from attempts sent, inferred_account(sent.org_id, sent.provider, sent.created_at) account
  where (attempts.org_id, attempts.payment_id, attempts.attempt_no) = (sent.org_id, sent.payment_id, sent.attempt_no);
update refunds set account_id = (
  select attempt.account_id from attempts attempt
  where attempt.org_id = refunds.org_id and attempt.payment_id = refunds.payment_id
  order by attempt.state = 'succeeded' desc, attempt.attempt_no desc limit 1);
update ramp_legs set account_id = account.account_id, custody = custody_of(account)
  from ramp_legs sent, inferred_account(sent.org_id, sent.provider, sent.created_at) account
  where (ramp_legs.org_id, ramp_legs.payment_id, ramp_legs.leg_no) = (sent.org_id, sent.payment_id, sent.leg_no)
    and account.account_id is not null;
update virtual_accounts set provider_account_id = account.account_id, custody = custody_of(account)
  from virtual_accounts opened, inferred_account(opened.org_id, opened.provider, opened.created_at) account
  where (virtual_accounts.org_id, virtual_accounts.account_id) = (opened.org_id, opened.account_id)
    and account.account_id is not null;
update suspended_deposits set account_id = (inferred_account(org_id, provider, created_at)).account_id;
update inbox set account_id = coalesce((inferred_account(org_id, provider, created_at)).account_id, account_id);
update exceptions set held_account_id = account.account_id, held_custody = custody_of(account)
  from exceptions raised, inferred_account(raised.org_id, raised.held_provider, raised.created_at) account
  where exceptions.org_id = raised.org_id and exceptions.exception_id = raised.exception_id
    and raised.held_minor is not null and account.account_id is not null;

-- Payouts were held on `available`, whichever account carries them, and end on it.
update payments set
  account_id = sent.account_id,
  custody = case when payments.direction = 'outbound' then 'pooled'
                 when sent.state = 'succeeded' then sent.custody end
  from attempts sent
  where sent.org_id = payments.org_id and sent.payment_id = payments.payment_id
    and sent.attempt_no = (
      select attempt_no from attempts last
      where last.org_id = payments.org_id and last.payment_id = payments.payment_id
      order by last.state = 'succeeded' desc, last.attempt_no desc limit 1);
update payments set custody = 'pooled' where direction = 'outbound' and custody is null;

alter table attempts alter column account_id set not null, alter column custody set not null;
alter table refunds alter column account_id set not null;

-- The routes that open work may still take.
create function with_inferred_account(route jsonb, of_org uuid) returns jsonb
  language sql stable as $$
  select route || jsonb_build_object('accountId', account.account_id, 'custody', custody_of(account))
  from inferred_account(of_org, route ->> 'provider', now()) account
$$;
update payments set routing = jsonb_set(routing, '{candidates}', (
    select coalesce(jsonb_agg(with_inferred_account(candidate, payments.org_id) order by place), '[]')
    from jsonb_array_elements(routing -> 'candidates') with ordinality as list (candidate, place)))
  where is_open;
update ramps set routes = (
    select coalesce(jsonb_agg(route || jsonb_build_object(
      'first', with_inferred_account(route -> 'first', ramps.org_id),
      'settlements', (
        select coalesce(jsonb_agg(with_inferred_account(settlement, ramps.org_id) order by place), '[]')
        from jsonb_array_elements(route -> 'settlements') with ordinality as list (settlement, place))
    ) order by place), '[]')
    from jsonb_array_elements(routes) with ordinality as list (route, place))
  where phase <> 'closed';
drop function with_inferred_account;

-- What was paid into an organisation's own accounts lies there and not with the installation.
insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
  select org_id, gen_random_uuid(), 'custody.moved', 'posted',
         case when moved > 0 then 'available' else 'available:own' end,
         case when moved > 0 then 'available:own' else 'available' end, currency, abs(moved)
  from (
    select transfer.org_id, transfer.currency,
           sum(case when transfer.credit_account = 'available' then transfer.amount_minor
                    when transfer.debit_account = 'available' then -transfer.amount_minor else 0 end) as moved
    from ledger_transfers transfer
    join (
      select org_id, payment_id as cause_id, payment_id from payments
      union all select org_id, refund_id, payment_id from refunds
    ) cause on cause.org_id = transfer.org_id and cause.cause_id = transfer.cause_id
    join payments paid on paid.org_id = cause.org_id and paid.payment_id = cause.payment_id
    where transfer.phase in ('posted', 'post') and exists (
      select from attempts carrier
      where carrier.org_id = paid.org_id and carrier.payment_id = paid.payment_id
        and carrier.state = 'succeeded' and carrier.custody = 'own')
    group by transfer.org_id, transfer.currency
  ) sums where moved <> 0;

create index attempts_open_by_account on attempts (account_id) where is_open;
create index refunds_open_by_account on refunds (account_id) where state in ('sending', 'unknown', 'accepted');
create index ramp_legs_open_by_account on ramp_legs (account_id) where state in ('sending', 'accepted', 'unknown');

-- Messages of two accounts are never repeats of each other.
alter table inbox drop constraint inbox_pkey;
alter table inbox add constraint inbox_pkey primary key (org_id, provider, account_id, dedupe_key);

-- Processes of the previous release do not name the account.
create function infer_attempt_account() returns trigger language plpgsql as $$
declare
  account provider_accounts := inferred_account(new.org_id, new.provider, now());
begin
  new.account_id := account.account_id;
  new.custody := custody_of(account);
  new.account_inferred := true;
  return new;
end $$;
create trigger infer_account before insert on attempts
  for each row when (new.account_id is null) execute function infer_attempt_account();

create function infer_leg_account() returns trigger language plpgsql as $$
declare
  account provider_accounts := inferred_account(new.org_id, new.provider, now());
begin
  if account.account_id is not null then
    new.account_id := account.account_id;
    new.custody := custody_of(account);
  end if;
  return new;
end $$;
create trigger infer_account before insert on ramp_legs
  for each row when (new.account_id is null and new.provider <> 'crypto') execute function infer_leg_account();

create function infer_refund_account() returns trigger language plpgsql as $$
begin
  new.account_id := (select account_id from attempts
    where org_id = new.org_id and payment_id = new.payment_id
    order by state = 'succeeded' desc, attempt_no desc limit 1);
  return new;
end $$;
create trigger infer_account before insert on refunds
  for each row when (new.account_id is null) execute function infer_refund_account();

create function infer_opening_account() returns trigger language plpgsql as $$
declare
  account provider_accounts := inferred_account(new.org_id, new.provider, now());
begin
  new.provider_account_id := account.account_id;
  new.custody := custody_of(account);
  return new;
end $$;
create trigger infer_account before insert on virtual_accounts
  for each row when (new.provider_account_id is null and new.provider <> 'internal')
  execute function infer_opening_account();
