-- Suspensions, sanctions and verified organisations.

-- What an operator has stopped. A row is in force until it is lifted; it is never deleted. Rows about the installation
-- (all payouts, an account of the installation) belong to the nil organisation.
create table suspensions (
  org_id uuid not null,
  suspension_id uuid not null,
  kind text not null check (kind in ('organization', 'member', 'api_key', 'provider_account', 'payouts')),
  -- The organisation, the member's user id, the key or the account; the nil organisation for all payouts.
  subject_id text not null,
  -- The person whom it stops: the member, or the owner of the key.
  user_id text,
  reason text not null check (length(reason) between 1 and 500),
  suspended_by text not null,
  suspended_at timestamptz(3) not null,
  lift_reason text,
  lifted_by text,
  lifted_at timestamptz(3),
  primary key (org_id, suspension_id),
  check ((lifted_at is null) = (lifted_by is null))
);
create unique index suspensions_in_force on suspensions (org_id, kind, subject_id) where lifted_at is null;
create index suspensions_by_age on suspensions (suspended_at, suspension_id);
call protect_tenant_table('suspensions', 'select');
call share_installation_rows('suspensions');
-- Only the operator suspends, across organisations. Lifting is also written by the approval of the second person.
grant update (lift_reason, lifted_by, lifted_at) on suspensions to switchyard_app, switchyard_system;

-- In plpgsql, because its plans are kept: authentication and routing ask with every request.
create function is_suspended(of_org uuid, of_kind text, of_subject text) returns boolean
  language plpgsql stable as $$
begin
  return exists (select from suspensions
    where org_id = of_org and kind = of_kind and subject_id = of_subject and lifted_at is null);
end $$;

-- A member's suspension stops their keys and sessions, and a key's the keys that were made with it.
create function is_credential_suspended(of_org uuid, of_user text, of_key uuid) returns boolean
  language plpgsql stable as $$
begin
  if not exists (select from suspensions
    where org_id = of_org and kind in ('member', 'api_key') and lifted_at is null) then
    return false;
  end if;
  return exists (
    with recursive ancestors as (
      select api_key_id, parent_api_key_id from api_keys where org_id = of_org and api_key_id = of_key
      union
      select parent.api_key_id, parent.parent_api_key_id from api_keys parent
        join ancestors on ancestors.parent_api_key_id = parent.api_key_id
        where parent.org_id = of_org)
    select from suspensions
      where org_id = of_org and lifted_at is null
        and ((kind = 'member' and subject_id = of_user)
          or (kind = 'api_key' and subject_id in (select api_key_id::text from ancestors))));
end $$;

-- Fails the transaction when what it is about to send is suspended. The shared lock is held until the commit: whoever
-- suspends waits for it afterwards, and then knows that nothing was committed that did not see the suspension. The
-- suspensions are read by a statement after the lock, which has a snapshot of its own.
create function assert_not_suspended(of_org uuid, of_account uuid, leaves boolean) returns void
  language plpgsql volatile as $$
declare
  found_kind text;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('suspensions', 0));
  select kind into found_kind from suspensions
    where lifted_at is null and org_id in (of_org, '00000000-0000-0000-0000-000000000000')
      and ((leaves and (kind = 'payouts' or (kind = 'organization' and subject_id = of_org::text)))
        or (kind = 'provider_account' and subject_id = of_account::text))
    order by kind limit 1;
  if found_kind is not null then
    raise exception 'the % is suspended', found_kind using errcode =
      case found_kind when 'organization' then 'SY056' when 'payouts' then 'SY057' else 'SY058' end;
  end if;
end $$;

-- The guard is a trigger of payments, attempts, refunds and ramp legs, so that no code that sends money can forget it.
-- A payin needs only its account.
create function refuse_suspended_payment() returns trigger language plpgsql as $$
begin
  perform assert_not_suspended(new.org_id, null, true);
  return new;
end $$;

create function refuse_suspended_attempt() returns trigger language plpgsql as $$
begin
  perform assert_not_suspended(new.org_id, new.account_id, exists (select from payments
    where org_id = new.org_id and payment_id = new.payment_id and direction <> 'inbound'));
  return new;
end $$;

create function refuse_suspended_outflow() returns trigger language plpgsql as $$
begin
  perform assert_not_suspended(new.org_id, new.account_id, true);
  return new;
end $$;

-- The lists of designated persons, loaded by the operator from files. They are public and belong to no organisation.
create table sanctions_versions (
  version_id uuid primary key,
  source text not null check (source in ('ofac', 'un', 'eu', 'uk')),
  file_name text not null,
  file_sha256 text not null,
  entry_count integer not null check (entry_count > 0),
  loaded_by text not null,
  loaded_at timestamptz(3) not null,
  -- Null while its entries are being written. The newest published version of each source is in force.
  published_at timestamptz(3)
);
create index sanctions_versions_published on sanctions_versions (source, published_at desc) where published_at is not null;

create table sanctions_entries (
  version_id uuid not null references sanctions_versions on delete cascade,
  entry_id text not null,
  kind text not null check (kind in ('person', 'organisation', 'vessel')),
  names text[] not null,
  birth_dates text[] not null,
  countries text[] not null,
  programmes text[] not null,
  fingerprint text not null,
  primary key (version_id, entry_id)
);

-- Each published version screens everybody again. The row says how far that is, so that any worker can go on.
create table sanctions_runs (
  run_id uuid primary key,
  version_id uuid not null references sanctions_versions,
  phase text not null check (phase in ('beneficiaries', 'kyb', 'payers', 'done', 'superseded')),
  -- The last subject that was screened in this phase.
  after_org_id uuid,
  after_id uuid,
  screened bigint not null default 0,
  matched bigint not null default 0,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create index sanctions_runs_open on sanctions_runs (started_at) where finished_at is null;
grant select, insert, update, delete on sanctions_versions, sanctions_entries, sanctions_runs to switchyard_system;
-- The lists are public. Who changes a beneficiary is screened in the transaction of the change, and the guard below
-- compares when they were published.
grant select on sanctions_entries, sanctions_versions to switchyard_app;

-- Possible matches of people with an entry. Nothing is sent to or for the subject unless its matches are cleared.
create table sanctions_matches (
  org_id uuid not null,
  match_id uuid not null,
  subject_kind text not null check (subject_kind in ('beneficiary', 'payer', 'depositor', 'kyb')),
  -- The beneficiary, the payment of the payer, the exception about the deposit, or the person of the verification.
  subject_id uuid not null,
  -- A keyed hash of what is known about the person: a decision holds wherever the same person occurs.
  person_key bytea not null,
  person_sealed bytea not null,
  -- Keyed hashes of the accounts, phone numbers, e-mail addresses and wallets that were named with the person. Once the
  -- match is confirmed nothing is sent to or from them, whatever name stands beside them.
  identifier_keys bytea[] not null default '{}',
  -- A list, another server that is asked, or 'script' for a name that cannot be compared.
  source text not null check (source in ('ofac', 'un', 'eu', 'uk', 'yente', 'script')),
  entry_id text not null,
  -- The entry as it was when it matched.
  entry jsonb not null,
  entry_fingerprint text not null,
  version_id uuid not null,
  score_permille integer not null check (score_permille between 0 and 1000),
  status text not null check (status in ('open', 'cleared', 'confirmed')),
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, match_id),
  unique (org_id, subject_kind, subject_id, source, entry_id)
);
create index sanctions_matches_in_the_way on sanctions_matches (org_id, subject_id) where status <> 'cleared';
create index sanctions_matches_of_person on sanctions_matches (org_id, person_key);
create index sanctions_matches_by_age on sanctions_matches (created_at, match_id);
call protect_tenant_table('sanctions_matches', 'select, insert, update');

create index sanctions_matches_blocked on sanctions_matches using gin (identifier_keys) where status = 'confirmed';

-- That the people and the accounts of a payment, or of a deposit, were compared with the lists: by keyed hashes, without
-- names. The first record is written with the payment; another one is written before something is sent by newer lists.
create table screening_records (
  org_id uuid not null,
  -- The payment or the deposit.
  subject_id uuid not null,
  screening_id uuid not null,
  person_keys bytea[] not null,
  identifier_keys bytea[] not null,
  list_versions text[] not null,
  -- When the newest of the lists was published; null if none was loaded.
  lists_published_at timestamptz(3),
  verdict text not null check (verdict in ('clear', 'open', 'confirmed')),
  screened_at timestamptz(3) not null default money_clock(),
  primary key (org_id, subject_id, screening_id)
);
call protect_tenant_table('screening_records', 'select, insert');

create function is_blocked(of_org uuid, keys bytea[]) returns boolean
  language plpgsql stable as $$
begin
  return exists (select from sanctions_matches
    where org_id = of_org and status = 'confirmed' and identifier_keys && keys);
end $$;

-- The newest record of a payment that is about to be sent. Fails the transaction if there is none, or if lists were
-- published since (SY076): the processes have five minutes to take them into use. Fails also while a match of its
-- beneficiary, of its payer or of the people behind the organisation is open (SY067) or was confirmed (SY068), or if an
-- account of the payment belongs to a confirmed match of somebody else. A payin needs only its payer.
create function assert_screened(of_org uuid, of_payment uuid, of_beneficiary uuid, leaves boolean) returns uuid
  language plpgsql volatile as $$
declare
  newest record;
  found_status text;
begin
  select screening_id, identifier_keys, lists_published_at into newest from screening_records
    where org_id = of_org and subject_id = of_payment order by screening_id desc limit 1;
  select status into found_status from sanctions_matches
    where org_id = of_org and status <> 'cleared'
      and (subject_id = of_payment or subject_id = of_beneficiary or (leaves and subject_kind = 'kyb'))
    order by status limit 1;
  if found_status = 'confirmed' or is_blocked(of_org, newest.identifier_keys) then
    raise exception 'a match with a sanctions list was confirmed' using errcode = 'SY068';
  elsif found_status = 'open' then
    raise exception 'a possible match with a sanctions list is open' using errcode = 'SY067';
  elsif newest.screening_id is null or exists (select from sanctions_versions
      where published_at > coalesce(newest.lists_published_at, '-infinity')
        and published_at < money_clock() - interval '5 minutes') then
    raise exception 'nobody was compared with the lists in force' using errcode = 'SY076';
  end if;
  return newest.screening_id;
end $$;

-- The trigger of attempts, refunds and ramp legs: what is sent names the record by which it was allowed.
create function refuse_unscreened() returns trigger language plpgsql as $$
declare
  of_beneficiary uuid;
  of_direction text;
begin
  select beneficiary_id, direction into of_beneficiary, of_direction from payments
    where org_id = new.org_id and payment_id = new.payment_id;
  new.screening_id := assert_screened(new.org_id, new.payment_id, of_beneficiary, of_direction <> 'inbound');
  return new;
end $$;

-- A payment from or to an account of somebody who is on a list is not even begun.
create function refuse_blocked() returns trigger language plpgsql as $$
begin
  if is_blocked(new.org_id, new.identifier_keys) then
    raise exception 'a match with a sanctions list was confirmed' using errcode = 'SY068';
  end if;
  return new;
end $$;
-- What has arrived is booked whoever sent it, so the record of a deposit may say that it was confirmed.
create trigger refuse_blocked before insert on screening_records
  for each row when (new.verdict <> 'confirmed') execute function refuse_blocked();

-- The trigger of payments. A payout to somebody who is on a list is not even begun; one with an open match is begun,
-- and waits.
create function refuse_confirmed() returns trigger language plpgsql as $$
begin
  if exists (select from sanctions_matches
    where org_id = new.org_id and status = 'confirmed'
      and (subject_id = new.beneficiary_id or subject_kind = 'kyb')) then
    raise exception 'a match with a sanctions list was confirmed' using errcode = 'SY068';
  end if;
  return new;
end $$;

-- What the KYB provider told us. The primary key makes a repeat harmless.
create table kyb_inbox (
  org_id uuid not null,
  dedupe_key text not null,
  news text not null,
  result text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, dedupe_key)
);
call protect_tenant_table('kyb_inbox', 'select, insert');

-- People of an organisation as its verification named them, kept only to be screened.
create table kyb_persons (
  org_id uuid not null,
  person_id uuid not null,
  details_sealed bytea not null,
  -- When the organisation last named the person.
  named_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, person_id)
);
call protect_tenant_table('kyb_persons', 'select, insert, update, delete');
