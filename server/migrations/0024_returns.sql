-- A refund that somebody made at the provider itself has a row too. The debit is what the organisation's balance pays:
-- of an exchanged payin in the target currency, at the payment's own rate. What exceeds the payment is in suspense.
alter table refunds
  add column origin text not null default 'api' check (origin in ('api', 'provider')),
  add column debit_minor numeric(38, 0) check (debit_minor >= 0),
  add column debit_currency text,
  add column excess_minor numeric(38, 0) not null default 0 check (excess_minor >= 0 and excess_minor <= amount_minor);
-- Refunds of exchanged payins were paid from the source currency until now, and the open ones end there.
update refunds set debit_minor = amount_minor, debit_currency = currency;
alter table refunds alter column debit_minor set not null, alter column debit_currency set not null;

-- A release before this one inserts neither.
create function infer_refund_debit() returns trigger language plpgsql as $$
begin
  new.debit_minor := new.amount_minor;
  new.debit_currency := new.currency;
  return new;
end $$;
create trigger infer_debit before insert on refunds
  for each row when (new.debit_minor is null) execute function infer_refund_debit();

-- We start one refund of a payment at a time; a provider may report any number.
drop index refunds_one_open;
create unique index refunds_one_open on refunds (org_id, payment_id)
  where state in ('sending', 'unknown', 'accepted') and origin = 'api';
create unique index refunds_one_per_provider_ref on refunds (account_id, provider_ref) where origin = 'provider';
create index refunds_by_provider_ref on refunds (account_id, provider_ref) where provider_ref is not null;
create index refunds_by_age on refunds (org_id, created_at, refund_id);

-- Providers name the payment of a refund by their own id.
create index attempts_by_provider_ref on attempts (account_id, provider_ref) where provider_ref is not null;

-- Negative: a provider paid out more than it was owed, and somebody has to make up for it.
alter table exceptions drop constraint exceptions_held_minor_check, add check (held_minor <> 0);

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
