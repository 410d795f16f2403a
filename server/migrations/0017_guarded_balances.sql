-- A payout needs an approved verification unless the operator says otherwise. The migration's role does not bypass row
-- level security, which the table forces on its owner.
alter table organizations alter column payouts_require_kyb set default true;
alter table organizations no force row level security;
update organizations set payouts_require_kyb = true;
alter table organizations force row level security;

-- A refund holds its amount from the start, under kind `refund`. A process of the previous release would post that kind
-- when the refund ends, which the primary key refuses. Refunds that it started are still posted at their end.
alter table refunds add column is_held boolean not null default false;

-- A refund is paid from where the money of its payment lies.
alter table refunds add column custody text not null default 'pooled' check (custody in ('pooled', 'own'));
update refunds set custody = sent.custody from attempts sent
  where sent.org_id = refunds.org_id and sent.payment_id = refunds.payment_id and sent.state = 'succeeded';
create or replace function infer_refund_account() returns trigger language plpgsql as $$
begin
  select sent.account_id, sent.custody into new.account_id, new.custody from attempts sent
    where sent.org_id = new.org_id and sent.payment_id = new.payment_id and sent.provider = new.provider
    order by sent.attempt_no desc limit 1;
  return new;
end $$;

-- Transaction ids start again in a database that was restored from a dump.
grant update (xact_id) on ledger_transfers to switchyard_system;
grant delete on balance_folds to switchyard_system;

-- Both read the progress into a variable first: with a subquery in its place the planner expects a third of all
-- transfers since the last fold, and plans for parallel workers. All statements of a stable function see the snapshot
-- of the statement that called it, so the fold, its progress and the transfers since are still of one moment.
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

create or replace function available_balance(
  of_org uuid, of_account text, of_currency text, out posted_minor numeric, out held_minor numeric
) language plpgsql stable set plan_cache_mode = force_custom_plan as $$
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

create or replace function fold_balances() returns bigint
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

create or replace function assert_covered(of_org uuid, of_account text, of_currency text) returns void
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
