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

-- The guard is a trigger, so that no way to send money can forget it. A payin needs only its account.
create function refuse_suspended_payment() returns trigger language plpgsql as $$
begin
  perform assert_not_suspended(new.org_id, null, true);
  return new;
end $$;
-- safe: it refuses nothing before somebody suspends, which only this release can.
create trigger refuse_suspended before insert on payments
  for each row when (new.direction <> 'inbound') execute function refuse_suspended_payment();

create function refuse_suspended_attempt() returns trigger language plpgsql as $$
begin
  perform assert_not_suspended(new.org_id, new.account_id, exists (select from payments
    where org_id = new.org_id and payment_id = new.payment_id and direction <> 'inbound'));
  return new;
end $$;
-- After infer_account, by its name, so that the account is known.
-- safe: it refuses nothing before somebody suspends, which only this release can.
create trigger refuse_suspended before insert on attempts
  for each row execute function refuse_suspended_attempt();

create function refuse_suspended_outflow() returns trigger language plpgsql as $$
begin
  perform assert_not_suspended(new.org_id, new.account_id, true);
  return new;
end $$;
-- A refund that somebody made at the provider is only recorded.
-- safe: it refuses nothing before somebody suspends, which only this release can.
create trigger refuse_suspended before insert on refunds
  for each row when (new.origin = 'api') execute function refuse_suspended_outflow();
-- Every leg: what a ramp collects could not be sent on.
-- safe: it refuses nothing before somebody suspends, which only this release can.
create trigger refuse_suspended before insert on ramp_legs
  for each row execute function refuse_suspended_outflow();
