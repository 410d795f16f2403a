-- Payments, their attempts, refunds and reviews, and the search over them.

create table payments (
  org_id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  -- The member that a payment is for, where it is not the one who started it (user_id). Only user_id counts for four
  -- eyes, limits and the audit log.
  on_behalf_of text,
  direction text not null check (direction in ('inbound', 'outbound', 'external')),
  payment_method text not null check (payment_method in ('bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet')),
  country char(2) not null,
  currency text not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  target_currency text not null,
  target_amount_minor numeric(38, 0) not null check (target_amount_minor > 0),
  org_rate_id uuid,
  status text not null check (status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending',
    'completed', 'failed', 'refunded', 'rejected', 'canceled')),
  -- For partial indexes: one that named the status would have to be written anew with every change of it, and
  -- all the other indexes of the row with it.
  is_open boolean not null generated always as
    (status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending')) stored,
  -- Raised by every write; every write names the version that it saw.
  version integer not null,
  event_count integer not null default 0,
  client_reference text,
  description text,
  beneficiary_id uuid,
  link_id uuid,
  -- The virtual account that a payout is paid from; null when the organisation's own balance pays.
  funding_account_id uuid,
  provider text,
  -- The provider account that carries the payment, and whose account it is.
  account_id uuid,
  custody text check (custody in ('pooled', 'own')),
  provider_payment_id text,
  provider_status text,
  card jsonb,
  private_sealed bytea not null,
  next_action jsonb,
  routing jsonb not null,
  failure_code text,
  failure_message text,
  return_url text,
  metadata jsonb,
  comments text,
  refunded_minor numeric(38, 0) not null default 0,
  -- What the payment costs the organisation, decided when it was initiated: in the source currency of a payout, in the
  -- target currency of a payin.
  fee_schedule_id uuid,
  fee_minor numeric(38, 0) check (fee_minor > 0),
  fee_currency text,
  fee_is_returned boolean,
  request_id text not null,
  -- When the data of the payment's people was erased.
  erased_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- What the list of payments filters by, in one column and one index: a list merges the facets that match, so every
  -- combination of filters finds its rows in order, however rare they are. Status and provider count only once the
  -- payment has ended: until then they change, and a change of an indexed column writes every index of the row again.
  facet text collate "C" not null generated always as (
    country::text || ' ' || currency || ' ' || direction || ' ' || payment_method || ' ' ||
    case when status in ('initiated', 'reviewed', 'confirmed', 'processing', 'pending') then 'open'
      else status || ' ' || coalesce(provider, '') end) stored,
  -- Comparisons of numeric are not leakproof, so row level security would not let an index serve them.
  amount_approx double precision not null generated always as (amount_minor::double precision) stored,
  -- The last change of a payment that changed long after its creation. Others are found by their age.
  late_update_at timestamptz(3) generated always as (
    case when updated_at - created_at > interval '1 hour' then updated_at end) stored,
  primary key (org_id, payment_id),
  check (refunded_minor between 0 and amount_minor),
  check (funding_account_id is null or direction = 'outbound'),
  constraint payments_fee_is_whole
    check (num_nonnulls(fee_schedule_id, fee_minor, fee_currency, fee_is_returned) in (0, 4))
) with (fillfactor = 85);
create index payments_by_age on payments (org_id, created_at, payment_id);
create index payments_by_facet on payments (org_id, facet, created_at, payment_id);
create index payments_by_amount on payments (org_id, currency, amount_approx, created_at, payment_id);
create index payments_by_late_update on payments (org_id, late_update_at, created_at, payment_id)
  where late_update_at is not null;
-- A list of what changed since then, with a filter, reads the late changes of the facets that match, not those of all.
create index payments_by_late_facet on payments (org_id, facet, late_update_at, created_at, payment_id)
  where late_update_at is not null;
create index payments_by_client_reference on payments
  (org_id, client_reference collate "C", created_at, payment_id) where client_reference is not null;
create index payments_by_beneficiary on payments (org_id, beneficiary_id, created_at, payment_id)
  where beneficiary_id is not null;
create index payments_by_open_beneficiary on payments (org_id, beneficiary_id) where beneficiary_id is not null and is_open;
create index payments_open on payments (payment_id) where is_open;
create index payments_outgoing on payments (org_id, created_at) where direction <> 'inbound';
call protect_tenant_table('payments', 'select, insert, update');

-- Triggers, so that no writer of payments can forget the sums of analytics, a suspension or a sanctions list.
create trigger payments_append_delta_of_insert after insert on payments
  for each row execute function append_payment_delta();
create trigger payments_append_delta_of_update after update on payments
  for each row when (
    is_completed(old.status) <> is_completed(new.status) or is_failed(old.status) <> is_failed(new.status)
  ) execute function append_payment_delta();
create trigger refuse_suspended before insert on payments
  for each row when (new.direction <> 'inbound') execute function refuse_suspended_payment();
create trigger refuse_confirmed before insert on payments
  for each row when (new.direction <> 'inbound') execute function refuse_confirmed();

-- Counts what payments use of a locked rate, and fails the transaction of one for which the rate or its pair has no room
-- left. A payment that fails gives back what it used; one that completes after it has failed is always booked. The
-- triggers are deferred to the commit, so that payments of one pair queue for its lock no longer than a commit takes, and
-- after every other lock.
create function is_exchanged(org_rate_id uuid, status text) returns boolean
  language sql immutable parallel safe
  return org_rate_id is not null and status not in ('failed', 'rejected', 'canceled');

create function count_rate_use() returns trigger
  language plpgsql as $$
declare
  quote rate_quotes;
  used numeric;
begin
  perform pg_advisory_xact_lock(
    hashtextextended(new.org_id::text || ' rate ' || new.currency || ' ' || new.target_currency, 0));
  if tg_op = 'UPDATE' and is_exchanged(old.org_rate_id, old.status) then
    update rate_quotes set used_minor = used_minor - old.amount_minor
      where org_id = old.org_id and org_rate_id = old.org_rate_id and expires_at > money_clock();
  end if;
  if not is_exchanged(new.org_rate_id, new.status) then
    return null;
  end if;
  update rate_quotes set used_minor = used_minor + new.amount_minor
    where org_id = new.org_id and org_rate_id = new.org_rate_id and expires_at > money_clock()
    returning * into quote;
  if tg_op = 'UPDATE' and old.org_rate_id is not distinct from new.org_rate_id then
    return null;
  end if;
  if quote.used_minor > quote.limit_minor then
    raise exception 'the locked rate has no room left' using errcode = 'SY074',
      detail = json_build_object('limit', quote.limit_minor::text,
        'left', (quote.limit_minor - quote.used_minor + new.amount_minor)::text)::text;
  end if;
  -- Older partitions are left out: the clock that made an id may differ by a day.
  select sum(used_minor) into used from rate_quotes
    where org_id = new.org_id and from_currency = quote.from_currency and to_currency = quote.to_currency
      and is_for_payers = quote.is_for_payers and expires_at > money_clock()
      and org_rate_id >= first_id_at(quote.created_at - (quote.expires_at - quote.created_at) - interval '1 day');
  if used > quote.pair_limit_minor then
    raise exception 'the pair has no room left' using errcode = 'SY075',
      detail = json_build_object('limit', quote.pair_limit_minor::text,
        'left', (quote.pair_limit_minor - used + new.amount_minor)::text)::text;
  end if;
  return null;
end $$;
create constraint trigger payments_count_rate_use after insert on payments
  deferrable initially deferred
  for each row when (new.org_rate_id is not null) execute function count_rate_use();
create constraint trigger payments_recount_rate_use after update on payments
  deferrable initially deferred
  for each row when (
    old.org_rate_id is distinct from new.org_rate_id
      or (new.org_rate_id is not null and old.amount_minor <> new.amount_minor)
      or is_exchanged(old.org_rate_id, old.status) <> is_exchanged(new.org_rate_id, new.status)
  ) execute function count_rate_use();

-- Fails the transaction when what the organisation sends out, this payment included, reaches the limit. Called after
-- the payment is written. Payouts of one organisation queue for the lock until they commit, so that of two at the same
-- moment the second one counts the first. The sum is a statement after the lock: a statement that waits for a lock keeps
-- the snapshot it began with. A currency without a weight counts with at least the limit.
create function assert_outflow_below(
  of_org uuid, since timestamptz, limit_minor numeric, currencies text[], weights numeric[]
) returns void
  language plpgsql volatile as $$
declare
  total numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_org::text || ' outflow', 0));
  select coalesce(sum(greatest(
      payment.amount_minor * coalesce(source.weight, limit_minor),
      payment.target_amount_minor * coalesce(target.weight, limit_minor))), 0)
    into total
    from payments payment
    left join unnest(currencies, weights) as source (currency, weight) on source.currency = payment.currency
    left join unnest(currencies, weights) as target (currency, weight) on target.currency = payment.target_currency
    where payment.org_id = of_org and payment.created_at > since and payment.direction <> 'inbound'
      and payment.status not in ('failed', 'rejected', 'canceled');
  if total >= limit_minor then
    raise exception 'the outflow reaches the limit' using errcode = 'SY011';
  end if;
end $$;

create table attempts (
  org_id uuid not null,
  payment_id uuid not null,
  attempt_no smallint not null,
  provider text not null,
  config_id uuid not null,
  account_id uuid not null,
  custody text not null check (custody in ('pooled', 'own')),
  reference uuid not null,
  state text not null check (state in ('sending', 'accepted', 'succeeded', 'failed', 'declined', 'not_sent', 'unknown')),
  is_open boolean not null generated always as (state in ('sending', 'accepted', 'unknown')) stored,
  -- The states after the first one, each with its time. Null for an attempt that is as it was created.
  state_changes jsonb,
  provider_ref text,
  provider_status text,
  outcome_code text,
  outcome_message text,
  reached_customer boolean not null default false,
  not_found_count integer not null default 0,
  inquiries integer not null default 0,
  -- Asking on behalf of a page has its own count and pace: it must not use up the engine's schedule, which is read from
  -- `inquiries`.
  page_inquiries smallint not null default 0,
  page_inquired_at timestamptz(3),
  forwarded_returns smallint not null default 0,
  -- `otp_tries` are claimed before the provider is called; `wrong_otps` are those that it has refused.
  otp_tries smallint not null default 0,
  wrong_otps smallint not null default 0,
  -- What the provider charged for the attempt, where it tells.
  cost_minor numeric(38, 0) check (cost_minor > 0),
  cost_currency text,
  resolution_id uuid,
  -- The record of the screening that allowed it to be sent, written by a trigger.
  screening_id uuid,
  deadline_at timestamptz(3) not null,
  -- When the provider first answered and when the attempt ended. Each is written once, so that folding a span of time
  -- again gives the same counts.
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, attempt_no),
  constraint attempts_cost_is_whole check (num_nonnulls(cost_minor, cost_currency) in (0, 2))
) with (fillfactor = 85);
create unique index attempts_one_open on attempts (org_id, payment_id) where is_open;
create index attempts_by_reference on attempts (reference);
create index attempts_open_by_account on attempts (account_id) where is_open;
-- Providers name the payment of a refund by their own id.
create index attempts_by_provider_ref on attempts (account_id, provider_ref) where provider_ref is not null;
create index attempts_by_org_provider_ref on attempts (org_id, provider_ref collate "C", payment_id)
  where provider_ref is not null;
-- Partial, so that only the list by time can use it: while a new table has no statistics, a plan for one attempt chose
-- the index by organisation as readily as the primary key, and then read every attempt of the organisation.
create index attempts_by_org_time on attempts (org_id, created_at) where attempt_no > 0;
-- A reconciliation reads the attempts of some days. They are written in the order of time, so ranges of pages are
-- enough, and no payment pays for it.
create index attempts_by_age on attempts using brin (created_at) with (autosummarize = on);
-- The signals of routing read spans of seconds. The first two are BRIN, so that an attempt's answer writes no index:
-- only summarising ones allow a HOT update. The second one is for calls that hang.
create index attempts_by_answer on attempts using brin (answered_at) with (pages_per_range = 8, autosummarize = on);
create index attempts_by_creation on attempts using brin (created_at) with (pages_per_range = 8, autosummarize = on);
create index attempts_by_end on attempts (ended_at) where ended_at is not null;
call protect_tenant_table('attempts', 'select, insert, update');

create trigger refuse_suspended before insert on attempts
  for each row execute function refuse_suspended_attempt();
-- An attempt is sent by whoever inserts it as `sending`; another state is history.
create trigger refuse_unscreened before insert on attempts
  for each row when (new.state = 'sending') execute function refuse_unscreened();

-- The gate before every attempt, whatever led to it: the request, an approval, the end of a hold, the next route or a
-- repetition. docs/money.md has its table. A payin keeps the rate that it was initiated with, and needs no verification.
create function refuse_closed_route() returns trigger language plpgsql as $$
declare
  installation constant uuid := '00000000-0000-0000-0000-000000000000';
  payment record;
begin
  if not exists (select from provider_accounts
      where org_id in (new.org_id, installation) and account_id = new.account_id and status = 'active')
    or not exists (select from provider_configs
      where org_id in (new.org_id, installation) and config_id = new.config_id and is_active) then
    raise exception 'the route is closed' using errcode = 'SY071';
  end if;
  select direction, org_rate_id, currency, target_currency into payment from payments
    where org_id = new.org_id and payment_id = new.payment_id;
  if payment.direction is distinct from 'outbound' then
    return new;
  end if;
  -- What was on its way when the rate expired may still arrive by another route.
  if payment.currency <> payment.target_currency and not exists (select from rate_quotes
      where org_id = new.org_id and org_rate_id = payment.org_rate_id
        and expires_at > money_clock() - interval '15 minutes') then
    raise exception 'the locked rate has expired' using errcode = 'SY072';
  end if;
  if new.custody = 'pooled' and exists (select from organizations
      where org_id = new.org_id and payouts_require_kyb and kyb_status <> 'approved') then
    raise exception 'the organisation is not verified' using errcode = 'SY073';
  end if;
  return new;
end $$;
create trigger refuse_closed_route before insert on attempts
  for each row when (new.state = 'sending') execute function refuse_closed_route();

create table inquiries (
  org_id uuid not null,
  payment_id uuid not null,
  inquiry_id uuid not null,
  attempt_no smallint not null,
  result text not null,
  detail text,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, inquiry_id)
) partition by range (inquiry_id);
call protect_tenant_table('inquiries', 'select, insert');

create table inquiries_first partition of inquiries
  for values from (minvalue) to (first_id_at(date_trunc('month', now(), 'UTC')));
alter table inquiries_first enable row level security, force row level security;

-- A refund that somebody made at the provider itself has a row too (origin provider). One of ours holds its amount from
-- the start, under kind `refund`; the provider's is posted when it completes.
create table refunds (
  org_id uuid not null,
  refund_id uuid not null,
  payment_id uuid not null,
  origin text not null check (origin in ('api', 'provider')),
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  currency text not null,
  -- What the organisation's balance pays: of an exchanged payin in the target currency, at the payment's own rate.
  debit_minor numeric(38, 0) not null check (debit_minor >= 0),
  debit_currency text not null,
  -- Of one that is priced at the market rate: how many minor units of the debit's currency one minor unit costs, and how
  -- much more than at the payment's own rate that is for the whole refund.
  market_rate numeric check (market_rate > 0),
  difference_minor numeric(38, 0) not null default 0,
  -- What exceeds the payment is in suspense.
  excess_minor numeric(38, 0) not null default 0 check (excess_minor >= 0 and excess_minor <= amount_minor),
  reason text not null,
  state text not null check (state in ('awaiting_approval', 'sending', 'unknown', 'accepted', 'completed', 'failed')),
  -- Why the approval policies of the organisation made it wait; null where they did not.
  approval_reason text,
  reference uuid not null,
  provider text not null,
  account_id uuid not null,
  -- A refund is paid from where the money of its payment is.
  custody text not null check (custody in ('pooled', 'own')),
  provider_ref text,
  failure_code text,
  failure_message text,
  -- How many scheduled inquiries in a row have not found the refund, and when the last of them was counted.
  not_found_count integer not null default 0,
  not_found_at timestamptz(3),
  resolution_id uuid,
  -- The record of the screening that allowed it to be sent, written by a trigger. Null for a refund of the provider.
  screening_id uuid,
  user_id text not null,
  version integer not null default 1,
  -- When we began to send it: at the request, or at the approval of one that waited. What was not found is judged by it.
  begun_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, refund_id),
  check (state <> 'awaiting_approval' or (origin = 'api' and approval_reason is not null)),
  check (market_rate is null or (origin = 'api' and currency <> debit_currency)),
  check (difference_minor = 0 or market_rate is not null),
  check (debit_minor + difference_minor >= 0)
);
-- We start one refund of a payment at a time; a provider may report any number.
create unique index refunds_one_open on refunds (org_id, payment_id)
  where state in ('awaiting_approval', 'sending', 'unknown', 'accepted') and origin = 'api';
create index refunds_waiting on refunds (org_id, created_at, refund_id) where state = 'awaiting_approval';
-- What refunds of ours add up to in a day, for the approval policies.
create index refunds_of_ours on refunds (org_id, created_at) where origin = 'api';
create unique index refunds_one_per_provider_ref on refunds (account_id, provider_ref) where origin = 'provider';
create index refunds_by_provider_ref on refunds (account_id, provider_ref) where provider_ref is not null;
create index refunds_by_payment on refunds (org_id, payment_id);
create index refunds_by_reference on refunds (reference);
create index refunds_by_age on refunds (org_id, created_at, refund_id);
create index refunds_open_by_account on refunds (account_id) where state in ('sending', 'unknown', 'accepted');
call protect_tenant_table('refunds', 'select, insert, update');

-- A refund that somebody made at the provider is only recorded.
create trigger refuse_suspended before insert on refunds
  for each row when (new.origin = 'api') execute function refuse_suspended_outflow();
create trigger refuse_unscreened before insert on refunds
  for each row when (new.origin = 'api' and new.state in ('awaiting_approval', 'sending')) execute function refuse_unscreened();
-- Days may have passed when one that waited is approved.
create trigger refuse_suspended_approval before update on refunds
  for each row when (old.state = 'awaiting_approval' and new.state = 'sending') execute function refuse_suspended_outflow();
create trigger refuse_unscreened_approval before update on refunds
  for each row when (old.state = 'awaiting_approval' and new.state = 'sending') execute function refuse_unscreened();

create table refund_reviews (
  org_id uuid not null,
  refund_id uuid not null,
  user_id text not null,
  decision text not null check (decision in ('approve', 'reject')),
  comments text,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, refund_id, user_id)
);
call protect_tenant_table('refund_reviews', 'select, insert');

-- As assert_outflow_below does it for what is paid out: fails the transaction when the refunds that the organisation
-- starts, this one included, reach the limit.
create function assert_refunds_below(
  of_org uuid, since timestamptz, limit_minor numeric, currencies text[], weights numeric[]
) returns void
  language plpgsql volatile as $$
declare
  total numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_org::text || ' refunds', 0));
  select coalesce(sum(greatest(
      refund.amount_minor * coalesce(source.weight, limit_minor),
      (refund.debit_minor + refund.difference_minor) * coalesce(target.weight, limit_minor))), 0)
    into total
    from refunds refund
    left join unnest(currencies, weights) as source (currency, weight) on source.currency = refund.currency
    left join unnest(currencies, weights) as target (currency, weight) on target.currency = refund.debit_currency
    where refund.org_id = of_org and refund.created_at > since and refund.origin = 'api' and refund.state <> 'failed';
  if total >= limit_minor then
    raise exception 'the refunds reach the limit' using errcode = 'SY011';
  end if;
end $$;

-- What a payin took and what went back to its payer, in its source currency: one row from the first refund, dispute or
-- reversal on, written under the fence of the payment's version. Everything that gives money back reads and writes it.
create table payin_sums (
  org_id uuid not null,
  payment_id uuid not null,
  charged_minor numeric(38, 0) not null check (charged_minor > 0),
  -- Our own refunds that have not ended, and what was refunded by whomever.
  refunding_minor numeric(38, 0) not null default 0 check (refunding_minor >= 0),
  refunded_minor numeric(38, 0) not null default 0 check (refunded_minor >= 0),
  -- What was left when the provider took back the payment.
  reversed_minor numeric(38, 0) not null default 0 check (reversed_minor >= 0),
  -- What open disputes demand and have not withdrawn, what disputes have withdrawn, and what of that came back.
  disputed_minor numeric(38, 0) not null default 0 check (disputed_minor >= 0),
  withdrawn_minor numeric(38, 0) not null default 0 check (withdrawn_minor >= 0),
  returned_minor numeric(38, 0) not null default 0 check (returned_minor >= 0),
  -- The exception that was raised when a provider gave back, or is about to give back, more than came.
  exception_id uuid,
  primary key (org_id, payment_id),
  constraint payin_sums_hold check (
    exception_id is not null or
    refunding_minor + refunded_minor + reversed_minor + disputed_minor + withdrawn_minor - returned_minor <= charged_minor)
);
call protect_tenant_table('payin_sums', 'select, insert, update');

-- An exception excuses what a provider does. It never excuses a refund of ours beyond what is left.
create function refuse_refund_beyond() returns trigger language plpgsql as $$
begin
  if new.refunding_minor + new.refunded_minor + new.reversed_minor + new.disputed_minor + new.withdrawn_minor
    - new.returned_minor > new.charged_minor then
    raise exception 'the refund is more than what is left of the payment' using errcode = 'SY025';
  end if;
  return new;
end $$;
create trigger refuse_refund_beyond_of_insert before insert on payin_sums
  for each row when (new.refunding_minor > 0) execute function refuse_refund_beyond();
create trigger refuse_refund_beyond_of_update before update on payin_sums
  for each row when (new.refunding_minor > old.refunding_minor) execute function refuse_refund_beyond();

-- Why a payment waits for approval. `is_waiting` ends with the status that it waits in; it is a column of its own because
-- an index over the status of payments would make every update of a payment touch all indexes.
create table review_requests (
  org_id uuid not null,
  payment_id uuid not null,
  cause text not null check (cause in ('amount', 'rate', 'daily')),
  policy_currency text not null,
  payout_from_minor numeric(38, 0) not null,
  daily_from_minor numeric(38, 0),
  is_waiting boolean not null default true,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id)
);
create index review_requests_waiting on review_requests (org_id, created_at, payment_id) where is_waiting;
call protect_tenant_table('review_requests', 'select, insert, update');

create table reviews (
  org_id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  decision text not null check (decision in ('approve', 'reject')),
  comments text,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, user_id)
);
call protect_tenant_table('reviews', 'select, insert');

-- What two people decided about a payment, a refund or a leg whose outcome its provider never reported. Append-only.
create table resolutions (
  org_id uuid not null,
  -- The id of the change request.
  resolution_id uuid not null,
  payment_id uuid not null,
  attempt_no smallint,
  leg_no smallint,
  refund_id uuid,
  outcome text not null check (outcome in ('completed', 'failed', 'returned')),
  evidence text not null,
  provider_reference text,
  proposed_by text not null,
  approved_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, resolution_id),
  check (proposed_by <> approved_by),
  check (num_nonnulls(attempt_no, leg_no, refund_id) = 1)
);
create index resolutions_by_payment on resolutions (org_id, payment_id);
call protect_tenant_table('resolutions', 'select, insert');

-- Keyed hashes of names, e-mail addresses and phone numbers: whoever has the key can look them up, and nobody can read
-- them. Erasure deletes them.
create table payment_search_terms (
  org_id uuid not null,
  term bigint not null,
  created_at timestamptz(3) not null,
  payment_id uuid not null,
  primary key (org_id, term, created_at, payment_id)
);
call protect_tenant_table('payment_search_terms', 'select, insert, delete');

-- Payments whose terms are not written yet. One whose sealed details cannot be opened is set aside, so that the others
-- do not wait for it.
create table payment_search_queue (
  org_id uuid not null,
  payment_id uuid not null,
  queued_at timestamptz(3) not null,
  set_aside_at timestamptz(3),
  set_aside_reason text,
  primary key (org_id, payment_id),
  constraint payment_search_queue_reason check ((set_aside_at is null) = (set_aside_reason is null))
) with (autovacuum_vacuum_scale_factor = 0.01);
create index payment_search_queue_by_age on payment_search_queue (queued_at) where set_aside_at is null;
create index payment_search_queue_set_aside on payment_search_queue (set_aside_at) where set_aside_at is not null;
call protect_tenant_table('payment_search_queue', 'select, insert');
grant update, delete on payment_search_queue to switchyard_system;

-- A trigger, so that no writer of payments can forget it.
create function queue_payment_search() returns trigger
  language plpgsql as $$
begin
  insert into payment_search_queue (org_id, payment_id, queued_at)
  values (new.org_id, new.payment_id, now());
  return null;
end $$;
create trigger payments_queue_search after insert on payments
  for each row execute function queue_payment_search();
