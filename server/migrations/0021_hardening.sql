-- The key that a key was made with, whose end is its end too. Null: made by a person who had signed in.
alter table api_keys add column parent_api_key_id uuid;
create index api_keys_by_parent on api_keys (org_id, parent_api_key_id) where parent_api_key_id is not null;

-- How many mails an organisation has addressed within a day: to one recipient, named by a keyed hash, or, under an empty
-- hash, to all of them.
create table mail_budgets (
  org_id uuid not null,
  recipient_hash bytea not null,
  window_started_at timestamptz(3) not null,
  mails integer not null check (mails > 0),
  primary key (org_id, recipient_hash)
);
create index mail_budgets_by_age on mail_budgets (window_started_at);
call protect_tenant_table('mail_budgets', 'select, insert, update, delete');
