-- Tenancy, fences, partitions, the outbox, idempotency, keys and the ledger.
-- `npm run migrate` creates the two roles that the processes log in as before this file runs: switchyard_app, which is
-- subject to row level security, and switchyard_system, which sees every organisation.

do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Tenancy

create function current_org() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- The one clock that stamps and judges what decides about money. Two processes may disagree about the time, and now() is
-- the start of the transaction: after a wait for a lock it would stamp too early. Tests put another function in its place.
create function money_clock() returns timestamptz
  language sql volatile parallel safe
  return clock_timestamp();

-- Every table with org_id goes through here. Privileges are named by each table, so that an append-only
-- one can leave out update and delete, for both roles.
create procedure protect_tenant_table(tenant_table regclass, app_privileges text)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy one_organisation on %s to switchyard_app using (org_id = current_org()) with check (org_id = current_org())',
    tenant_table);
  execute format('create policy every_organisation on %s to switchyard_system using (true) with check (true)', tenant_table);
  execute format('grant %s on %s to switchyard_app', app_privileges, tenant_table);
  execute format('grant %s on %s to switchyard_system',
    case when app_privileges ~ 'update|delete' then 'select, insert, update, delete' else 'select, insert' end,
    tenant_table);
end $$;

-- Rows of the nil organisation belong to the installation and may be read by every organisation.
create procedure share_installation_rows(tenant_table regclass)
  language plpgsql as $$
begin
  execute format(
    'create policy installation on %s for select to switchyard_app using (org_id = ''00000000-0000-0000-0000-000000000000'')',
    tenant_table);
end $$;

-- Fences

-- Statements are pipelined, so the caller cannot look at one result before it sends the next. A fenced write that finds
-- no row therefore fails the whole transaction, with the code of its fence.
create function assert_written(written bigint, code text) returns void
  language plpgsql as $$
begin
  if written = 0 then
    raise exception 'a fenced write found no row' using errcode = code;
  end if;
end $$;

-- Partitions
-- Tables that only grow are partitioned by the months (UTC) of their UUIDv7 ids, so that an old month can be detached,
-- archived and dropped. Nobody but the owner may address a partition: the roles of the processes have no right on one,
-- and its row level security, forced and without a policy, would show them nothing. The first partition of a table is
-- created with the table, for all ids before the month of the installation.

-- The smallest UUIDv7 of a moment.
create function first_id_at(moment timestamptz) returns uuid
  language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008' || repeat('0', 15))::uuid;

-- Where the last partition of a table ends.
create function last_partition_end(parent regclass) returns uuid
  language sql stable strict
  return (select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)'))::uuid
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent);

-- Makes the partition of the month that begins with this id, and returns where it ends. Attaching a table that nobody
-- else knows yet neither waits for the writers of its parent nor stops them.
create function add_partition(parent regclass, from_id uuid) returns uuid
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  month timestamp := uuid_extract_timestamp(from_id) at time zone 'UTC';
  to_id uuid := public.first_id_at((month + interval '1 month') at time zone 'UTC');
  table_name name := (select relname from pg_class where oid = parent);
  partition_name text := format('%s_%s', table_name, to_char(month, 'YYYY_MM'));
begin
  execute format('create table public.%I (like public.%I including all)', partition_name, table_name);
  execute format('alter table public.%I enable row level security, force row level security', partition_name);
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    table_name, partition_name, from_id, to_id);
  return to_id;
end $$;
revoke execute on function add_partition(regclass, uuid) from public;

-- Makes the partitions of the coming months, for the worker, which owns no table: it takes no parameter, and does
-- nothing else with the rights of the owner.
create function make_partitions_ahead() returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '100ms' as $$
declare
  wanted_end uuid := public.first_id_at(
    (date_trunc('month', now() at time zone 'UTC') + interval '4 months') at time zone 'UTC');
  parent regclass;
  reached uuid;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('partitions', 0)) then
    return 0;
  end if;
  for parent in
    select c.oid::regclass from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = 'public'::regnamespace order by c.relname
  loop
    reached := public.last_partition_end(parent);
    while reached < wanted_end loop
      reached := public.add_partition(parent, reached);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
revoke execute on function make_partitions_ahead() from public;
grant execute on function make_partitions_ahead() to switchyard_system;

-- Months that were taken out of a table, from before they are detached. The rows of one that is dropped are in its file.
create table archives (
  table_name text not null,
  partition_name text not null,
  from_id uuid not null,
  to_id uuid not null check (to_id > from_id),
  begun_at timestamptz(3) not null default now(),
  file text,
  row_count bigint,
  sha256 bytea check (length(sha256) = 32),
  dropped_at timestamptz(3),
  primary key (table_name, to_id),
  check ((dropped_at is null) or (file is not null and row_count is not null and sha256 is not null))
);
grant select on archives to switchyard_app, switchyard_system;

-- The outbox

create table outbox (
  org_id uuid not null,
  outbox_id uuid not null,
  service text not null,
  handler text not null,
  object_key text,
  -- The jobs of an organisation and a service that wait for the same receiver, such as one endpoint, are a lane. The
  -- nil id stands for jobs without a receiver.
  receiver uuid not null,
  payload jsonb not null,
  request_id text,
  due_at timestamptz(3) not null default now(),
  -- Whether the relay looks at the job. One that is due later gets ready when its time has come, so that the relay's
  -- walk over organisations and services meets none that wait.
  is_ready boolean not null,
  leased_until timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, outbox_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index outbox_by_due_time on outbox (due_at);
create index outbox_waiting on outbox (due_at) where not is_ready;
-- A claim steps over a lane that has no capacity, however many of its jobs wait.
create index outbox_lanes on outbox (org_id, service collate "C", receiver, due_at) where is_ready;
call protect_tenant_table('outbox', 'select, insert, update, delete');

-- Idempotency

-- An Idempotency-Key belongs to a member. A call that begins a payment claims its key in the transaction that writes
-- the payment (resource_id), so that a repeat finds the payment even if the process died before it could answer.
create table idempotent_calls (
  org_id uuid not null,
  user_id text not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  request_hash bytea not null,
  resource_id uuid,
  response_status integer,
  response_sealed bytea,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, user_id, idempotency_key)
);
create index idempotent_calls_by_expiry on idempotent_calls (expires_at);
call protect_tenant_table('idempotent_calls', 'select, insert, update, delete');

-- Keys

create table data_keys (
  org_id uuid not null,
  data_key_id uuid not null,
  wrapped_key bytea not null,
  -- The key that wraps it.
  wrapped_by text not null,
  -- The keys of single people that are needed beside it, outside of the database. Null: the data key is enough.
  person_keys_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, data_key_id)
);
call protect_tenant_table('data_keys', 'select, insert');
call share_installation_rows('data_keys');
grant update (wrapped_key, wrapped_by) on data_keys to switchyard_system;

-- Keys of the installation itself, wrapped like data keys.
create table installation_keys (
  name text primary key,
  wrapped_key bytea not null,
  wrapped_by text not null,
  created_at timestamptz(3) not null default now()
);
grant select, insert, update on installation_keys to switchyard_system;

-- When a process first had each version of a secret as its current one. A version is used some time later, so that
-- every process accepts it before one of them uses it.
create table key_versions (
  secret text not null check (secret in ('SECRET_KEY', 'API_KEY_PEPPER')),
  key_id text not null,
  first_seen_at timestamptz(3) not null default now(),
  primary key (secret, key_id)
);
grant select, insert on key_versions to switchyard_system;

-- How far the clock of each running process is ahead of the database's.
create table process_clocks (
  process_id uuid primary key,
  skew_ms double precision not null,
  measured_at timestamptz(3) not null
);
grant select, insert, update, delete on process_clocks to switchyard_system;

-- The ledger

-- Double entry as transfers: one debit, one credit, one amount, so every currency sums to zero by construction.
-- Append-only. `pending` holds; a row with kind `<kind>.resolved` and phase post or void ends the hold, once.
create table ledger_transfers (
  org_id uuid not null,
  cause_id uuid not null,
  kind text not null,
  phase text not null check (phase in ('posted', 'pending', 'post', 'void')),
  debit_account text not null,
  credit_account text not null,
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  created_at timestamptz(3) not null default now(),
  -- The transaction that wrote the transfer. A fold may take up a transfer only when no open transaction can still
  -- write one before it, and time cannot tell that: a transaction may commit long after it read the clock.
  -- A bigint, because xid8 has no operator class for the small index by which a fold finds the newest transfers.
  xact_id bigint not null default pg_current_xact_id()::text::bigint,
  primary key (org_id, cause_id, kind),
  check (debit_account <> credit_account)
);
create index ledger_transfers_by_debit on ledger_transfers (org_id, debit_account, currency, xact_id);
create index ledger_transfers_by_credit on ledger_transfers (org_id, credit_account, currency, xact_id);
create index ledger_transfers_by_age on ledger_transfers (org_id, created_at, cause_id, kind);
create index ledger_transfers_by_xact on ledger_transfers using brin (xact_id) with (pages_per_range = 16);
call protect_tenant_table('ledger_transfers', 'select, insert');
-- Transaction ids start again in a database that was restored from a dump.
grant update (xact_id) on ledger_transfers to switchyard_system;

-- The sum of an organisation's available account over all transfers below balance_fold_progress.folded_below.
create table balance_folds (
  org_id uuid not null,
  account text not null,
  currency text not null,
  posted_minor numeric(38, 0) not null default 0,
  held_minor numeric(38, 0) not null default 0,
  primary key (org_id, account, currency)
) with (fillfactor = 70);
call protect_tenant_table('balance_folds', 'select');
grant insert, update, delete on balance_folds to switchyard_system;

create table balance_fold_progress (
  is_only boolean primary key default true check (is_only),
  folded_below bigint not null
);
insert into balance_fold_progress (folded_below) values (0);
grant select on balance_fold_progress to switchyard_app;
grant select, update on balance_fold_progress to switchyard_system;

-- Both sides of each transfer of the available accounts. `posted` is final, `held` is set aside on the debit side.
create view available_entries with (security_invoker = true) as
  select org_id, debit_account as account, currency, xact_id,
         case when phase in ('posted', 'post') then -amount_minor else 0 end as posted_minor,
         case phase when 'pending' then amount_minor when 'posted' then 0 else -amount_minor end as held_minor
  from ledger_transfers where debit_account in ('available', 'available:own')
  union all
  select org_id, credit_account, currency, xact_id,
         case when phase in ('posted', 'post') then amount_minor else 0 end, 0
  from ledger_transfers where credit_account in ('available', 'available:own');
grant select on available_entries to switchyard_app, switchyard_system;

-- This function and the next read the progress into a variable first: with a subquery in its place the planner expects
-- a third of all transfers since the last fold, and plans for parallel workers. All statements of a stable function see
-- the snapshot of the statement that called it, so the fold, its progress and the transfers since are of one moment.
create function available_balances(of_org uuid)
  returns table (account text, currency text, posted_minor numeric, held_minor numeric)
  language plpgsql stable rows 20 set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  since bigint := (select folded_below from balance_fold_progress);
begin
  return query
    select account, currency, sum(posted_minor), sum(held_minor)
    from (
      select account, currency, posted_minor, held_minor from balance_folds where org_id = of_org
      union all
      select account, currency, posted_minor, held_minor from available_entries
      where org_id = of_org and xact_id >= since
    ) parts
    group by account, currency;
end $$;

-- Debits of one account queue for its lock until they commit, so what happens under the lock bounds how many of them a
-- second are possible. A generic plan is made once for a connection and does not know how few transfers there are since
-- the last fold, so it must not be one that reads the whole table: what remains is a range of the index
-- (org_id, account, currency, xact_id).
create function available_balance(
  of_org uuid, of_account text, of_currency text, out posted_minor numeric, out held_minor numeric
) language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  since bigint := (select folded_below from balance_fold_progress);
begin
  select coalesce(sum(part.posted), 0), coalesce(sum(part.held), 0) into posted_minor, held_minor
  from (
    select fold.posted_minor as posted, fold.held_minor as held from balance_folds fold
    where fold.org_id = of_org and fold.account = of_account and fold.currency = of_currency
    union all
    select entry.posted_minor, entry.held_minor from available_entries entry
    where entry.org_id = of_org and entry.account = of_account and entry.currency = of_currency
      and entry.xact_id >= since
  ) part;
end $$;

-- Sums everything again after a restore from a dump. Transfers with ids that this cluster has not reached yet were
-- restored, so they precede every transaction of it.
create function refold_balances(folded_to bigint) returns bigint
  language plpgsql as $$
declare
  folded bigint;
begin
  update ledger_transfers set xact_id = 0 where xact_id > pg_current_xact_id()::text::bigint;
  delete from balance_folds;
  insert into balance_folds (org_id, account, currency, posted_minor, held_minor)
    select org_id, account, currency, sum(posted_minor), sum(held_minor)
    from available_entries where xact_id < folded_to
    group by org_id, account, currency;
  get diagnostics folded = row_count;
  update balance_fold_progress set folded_below = folded_to;
  return folded;
end $$;

-- Folds what no open transaction can precede any more. One process folds at a time; nobody waits for it.
create function fold_balances() returns bigint
  language plpgsql as $$
declare
  folded_from bigint;
  folded_to bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  folded bigint;
begin
  select folded_below into folded_from from balance_fold_progress for update skip locked;
  if not found or folded_to = folded_from then
    return 0;
  end if;
  -- The oldest open transaction never moves backwards within one cluster.
  if folded_to < folded_from then
    return refold_balances(folded_to);
  end if;
  insert into balance_folds as fold (org_id, account, currency, posted_minor, held_minor)
    select org_id, account, currency, sum(posted_minor), sum(held_minor)
    from available_entries where xact_id >= folded_from and xact_id < folded_to
    group by org_id, account, currency
  on conflict (org_id, account, currency) do update
    set posted_minor = fold.posted_minor + excluded.posted_minor,
        held_minor = fold.held_minor + excluded.held_minor;
  get diagnostics folded = row_count;
  update balance_fold_progress set folded_below = folded_to;
  return folded;
end $$;

-- Fails the transaction when its debits take the account below the credit limit. Called after they are written.
-- Debits of one account queue for the lock until they commit; credits take no lock. The sum is a statement after
-- the lock: a statement that waits for a lock keeps the snapshot it began with, and would miss the debit it waited for.
create function assert_covered(of_org uuid, of_account text, of_currency text) returns void
  language plpgsql volatile as $$
declare
  remaining numeric;
  allowed numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_org::text || ' ' || of_account || ' ' || of_currency, 0));
  -- Nothing is paid from a restored database before its balances have been summed again: this debit would not count.
  if pg_current_xact_id()::text::bigint < (select folded_below from balance_fold_progress) then
    raise exception 'the balances of a restored database have not been summed again' using errcode = '55P03';
  end if;
  select balance.posted_minor - balance.held_minor into remaining
    from available_balance(of_org, of_account, of_currency) balance;
  select coalesce(max(limit_minor), 0) into allowed
    from credit_limits where org_id = of_org and currency = of_currency;
  if remaining < -allowed then
    raise exception 'the balance does not cover it' using errcode = 'SY010',
      detail = json_build_object('remaining', remaining::text, 'limit', allowed::text)::text;
  end if;
end $$;

-- Whether debits that could not be refused have taken the account below its limit. It takes the lock of assert_covered,
-- so that of two concurrent debits the later one sees both.
create function is_below_limit(of_org uuid, of_account text, of_currency text) returns boolean
  language plpgsql volatile as $$
declare
  remaining numeric;
  allowed numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_org::text || ' ' || of_account || ' ' || of_currency, 0));
  select balance.posted_minor - balance.held_minor into remaining
    from available_balance(of_org, of_account, of_currency) balance;
  select coalesce(max(limit_minor), 0) into allowed
    from credit_limits where org_id = of_org and currency = of_currency;
  return remaining < -allowed;
end $$;

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
