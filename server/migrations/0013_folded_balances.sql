-- The transaction that wrote a transfer. A fold may take up a transfer only when no open transaction can still
-- write one before it, and time cannot tell that: a transaction may commit long after it read the clock.
-- A bigint, because xid8 has no operator class for the small index by which a fold finds the newest transfers.
alter table ledger_transfers add column xact_id bigint not null default pg_current_xact_id()::text::bigint;

drop index ledger_transfers_by_debit;
drop index ledger_transfers_by_credit;
create index ledger_transfers_by_debit on ledger_transfers (org_id, debit_account, currency, xact_id);
create index ledger_transfers_by_credit on ledger_transfers (org_id, credit_account, currency, xact_id);
create index ledger_transfers_by_xact on ledger_transfers using brin (xact_id) with (pages_per_range = 16);

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
grant insert, update on balance_folds to switchyard_system;

create table balance_fold_progress (
  is_only boolean primary key default true check (is_only),
  folded_below bigint not null
);
insert into balance_fold_progress (folded_below) values (0);
grant select on balance_fold_progress to switchyard_app;
grant select, update on balance_fold_progress to switchyard_system;

-- How far below zero the operator lets the pooled balance of an organisation go.
create table credit_limits (
  org_id uuid not null,
  currency text not null,
  limit_minor numeric(38, 0) not null check (limit_minor >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, currency)
);
call protect_tenant_table('credit_limits', 'select');
grant insert, update, delete on credit_limits to switchyard_system;

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

-- Folds what no open transaction can precede any more. One process folds at a time; nobody waits for it.
create function fold_balances() returns bigint
  language plpgsql as $$
declare
  folded_from bigint;
  folded_to bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  folded bigint;
begin
  select folded_below into folded_from from balance_fold_progress for update skip locked;
  if not found or folded_to <= folded_from then
    return 0;
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

-- One statement, so that the fold, its progress and the transfers since are of one moment.
create function available_balance(
  of_org uuid, of_account text, of_currency text, out posted_minor numeric, out held_minor numeric
) language sql stable as $$
  select coalesce(sum(part.posted_minor), 0), coalesce(sum(part.held_minor), 0)
  from (
    select fold.posted_minor, fold.held_minor from balance_folds fold
    where fold.org_id = of_org and fold.account = of_account and fold.currency = of_currency
    union all
    select entry.posted_minor, entry.held_minor from available_entries entry
    where entry.org_id = of_org and entry.account = of_account and entry.currency = of_currency
      and entry.xact_id >= (select folded_below from balance_fold_progress)
  ) part
$$;

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
  select balance.posted_minor - balance.held_minor into remaining
    from available_balance(of_org, of_account, of_currency) balance;
  select coalesce(max(limit_minor), 0) into allowed
    from credit_limits where org_id = of_org and currency = of_currency;
  if remaining < -allowed then
    raise exception 'the balance does not cover it' using errcode = 'SY010',
      detail = json_build_object('remaining', remaining::text, 'limit', allowed::text)::text;
  end if;
end $$;
