-- Asking on behalf of a page has its own count and pace: it must not use up the engine's schedule, which is read from
-- `inquiries`. `otp_tries` are claimed before the provider is called; `wrong_otps` are those that it has refused.
alter table attempts
  alter column inquiries type integer,
  alter column not_found_count type integer,
  add column page_inquiries smallint not null default 0,
  add column page_inquired_at timestamptz(3),
  add column forwarded_returns smallint not null default 0,
  add column wrong_otps smallint not null default 0;
alter table ramp_legs alter column not_found_count type integer;

-- How many scheduled inquiries in a row have not found the refund, and when the last of them was counted.
alter table refunds
  add column not_found_count integer not null default 0,
  add column not_found_at timestamptz(3);
