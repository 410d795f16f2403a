-- The mails that callers of an organisation had sent, per recipient (a keyed hash of the address) and in total (the
-- empty hash), in the window that began with the first of them.
create table mail_budgets (
  org_id uuid not null,
  recipient_hash bytea not null,
  window_started_at timestamptz(3) not null,
  mails integer not null check (mails > 0),
  primary key (org_id, recipient_hash)
);
call protect_tenant_table('mail_budgets', 'select, insert, update');
