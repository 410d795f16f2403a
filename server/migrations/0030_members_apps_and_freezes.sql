-- The member that a payment is for, where it is not the one who started it (user_id). Only user_id counts for four
-- eyes, limits and the audit log.
alter table payments add column on_behalf_of text;

-- Schemes of the organisation's apps, such as myapp, to which customers may return.
alter table organizations add column return_url_schemes text[] not null default '{}';

-- A freeze is a resource of its own in events: its id is kept while the account is frozen.
alter table virtual_accounts add column freeze_id uuid;
