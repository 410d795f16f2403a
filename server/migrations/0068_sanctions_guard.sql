-- Fails the transaction that would send something while a match of its beneficiary, of its payer or of the people
-- behind the organisation is open (SY067) or was confirmed (SY068). A payin needs only its payer.
create function assert_screened(of_org uuid, of_payment uuid, of_beneficiary uuid, leaves boolean) returns void
  language plpgsql volatile as $$
declare
  found_status text;
begin
  select status into found_status from sanctions_matches
    where org_id = of_org and status <> 'cleared'
      and (subject_id = of_payment or subject_id = of_beneficiary or (leaves and subject_kind = 'kyb'))
    order by status limit 1;
  if found_status = 'confirmed' then
    raise exception 'a match with a sanctions list was confirmed' using errcode = 'SY068';
  elsif found_status = 'open' then
    raise exception 'a possible match with a sanctions list is open' using errcode = 'SY067';
  end if;
end $$;

create function refuse_unscreened() returns trigger language plpgsql as $$
declare
  of_beneficiary uuid;
  of_direction text;
begin
  select beneficiary_id, direction into of_beneficiary, of_direction from payments
    where org_id = new.org_id and payment_id = new.payment_id;
  perform assert_screened(new.org_id, new.payment_id, of_beneficiary, of_direction <> 'inbound');
  return new;
end $$;

-- safe: it refuses nothing before a list is loaded, which only this release can.
create trigger refuse_unscreened before insert on attempts
  for each row execute function refuse_unscreened();
-- Every leg: what a ramp collects could not be sent on.
-- safe: it refuses nothing before a list is loaded, which only this release can.
create trigger refuse_unscreened before insert on ramp_legs
  for each row execute function refuse_unscreened();

-- A refund pays the payer. One that somebody made at the provider is only recorded.
-- safe: it refuses nothing before a list is loaded, which only this release can.
create trigger refuse_unscreened before insert on refunds
  for each row when (new.origin = 'api') execute function refuse_unscreened();

-- A payout to somebody who is on a list is not even begun. One with an open match is, and waits.
create function refuse_confirmed() returns trigger language plpgsql as $$
begin
  if exists (select from sanctions_matches
    where org_id = new.org_id and status = 'confirmed'
      and (subject_id = new.beneficiary_id or subject_kind = 'kyb')) then
    raise exception 'a match with a sanctions list was confirmed' using errcode = 'SY068';
  end if;
  return new;
end $$;
-- safe: it refuses nothing before a list is loaded, which only this release can.
create trigger refuse_confirmed before insert on payments
  for each row when (new.direction <> 'inbound') execute function refuse_confirmed();
