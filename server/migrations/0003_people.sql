-- Organisations, their members and keys, notices, change requests and exceptions.

create table organizations (
  org_id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  country char(2) not null,
  features text[] not null default '{}',
  -- What a payer sees of the organisation on its payment page.
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  logo bytea check (octet_length(logo) <= 65536),
  -- Hosts to which customers may return, and schemes of the organisation's apps, such as myapp.
  return_url_hosts text[] not null default '{}',
  return_url_schemes text[] not null default '{}',
  rate_margin_bps integer not null default 0 check (rate_margin_bps between 0 and 5000),
  own_accounts_only boolean not null default false,
  -- hosted_only: payers enter their cards on the provider's page, and no card number may reach us.
  cards text not null default 'allowed' check (cards in ('allowed', 'hosted_only')),
  -- A payout needs an approved verification unless the operator says otherwise.
  payouts_require_kyb boolean not null default true,
  kyb_status text not null default 'not_started'
    check (kyb_status in ('not_started', 'pending', 'in_review', 'approved', 'rejected')),
  kyb_customer_id text,
  kyb_reason text,
  -- The provider has said that the organisation may not try again.
  kyb_is_final boolean not null default false,
  -- The provider's own time of the last message that was applied. An older one that arrives later is ignored.
  kyb_news_at timestamptz(3),
  kyb_event_count integer not null default 0,
  -- What the verification was started with, and what payers see of an organisation that has changed it since.
  kyb_name text,
  kyb_country char(2),
  verified_name text,
  verified_country char(2),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index organizations_by_age on organizations (created_at, org_id);
create index organizations_by_kyb_customer on organizations (kyb_customer_id) where kyb_customer_id is not null;
call protect_tenant_table('organizations', 'select, update');

create table members (
  org_id uuid not null references organizations,
  user_id text not null check (length(user_id) between 1 and 255),
  email text not null,
  first_name text not null,
  last_name text not null,
  country char(2),
  role text not null check (role in ('platform-admin', 'org-admin', 'staff', 'viewer')),
  grants text[] not null default '{}',
  revocations text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, user_id)
);
create unique index members_one_per_email on members (org_id, lower(email));
create index members_by_age on members (org_id, created_at, user_id);
-- A person chooses among the organisations that they are a member of.
create index members_by_user on members (user_id);
call protect_tenant_table('members', 'select, insert, update, delete');

create table invitations (
  org_id uuid not null references organizations,
  invitation_id uuid not null,
  email text not null,
  role text not null check (role in ('platform-admin', 'org-admin', 'staff', 'viewer')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked', 'expired')),
  invited_by text not null,
  -- Who approved the invitation as a second person; null if nobody had to. Once an organisation has approval policies,
  -- only an approved invitation gives a role that has a say over payouts.
  approved_by text,
  accepted_by text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, invitation_id)
);
create unique index invitations_one_open_per_email on invitations (org_id, lower(email)) where status = 'pending';
create index invitations_by_age on invitations (org_id, created_at, invitation_id);
call protect_tenant_table('invitations', 'select, insert, update');

-- Who gave whom a membership or permissions without an unrelated second person. For some time they do not count as
-- second persons for each other, and nor do two people whom the same person has empowered.
create table empowerments (
  org_id uuid not null,
  empowerment_id uuid not null,
  user_id text not null,
  empowered_by text not null,
  -- By somebody of the operator, in the organisation of a customer.
  is_by_operator boolean not null,
  -- Somebody unrelated has agreed since.
  confirmed_by text,
  created_at timestamptz(3) not null default money_clock(),
  primary key (org_id, empowerment_id),
  check (confirmed_by not in (user_id, empowered_by))
);
create index empowerments_recent on empowerments (org_id, created_at) where confirmed_by is null;
call protect_tenant_table('empowerments', 'select, insert, update');

create table api_keys (
  org_id uuid not null,
  api_key_id uuid not null,
  user_id text not null,
  name text not null check (length(name) between 1 and 200),
  prefix text not null,
  key_hash bytea not null,
  -- The pepper that the key is hashed with.
  pepper_id text not null,
  scopes text[],
  -- The addresses and networks that the key may be used from. Null: from anywhere.
  allowed_ips text[],
  -- The key that the key was made with, whose end is its end too. Null: made by a person who had signed in.
  parent_api_key_id uuid,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  is_replaced boolean not null default false,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, api_key_id),
  foreign key (org_id, user_id) references members on delete cascade
);
-- Not unique: the hash of 32 random bytes needs no constraint, and a constraint without org_id would not shard.
create index api_keys_by_hash on api_keys (key_hash);
create index api_keys_by_age on api_keys (org_id, created_at, api_key_id);
create index api_keys_by_owner on api_keys (org_id, user_id);
create index api_keys_by_parent on api_keys (org_id, parent_api_key_id) where parent_api_key_id is not null;
call protect_tenant_table('api_keys', 'select, insert, update');

-- A notice is a mail and, for a member, an entry of the inbox. Its link is made when it is shown: nothing at
-- rest opens anything.
create table notifications (
  org_id uuid not null,
  notification_id uuid not null,
  user_id text,
  template text not null,
  language text not null,
  recipient text not null,
  variables jsonb not null,
  -- Recipient and variables of a notice to somebody whose data is sealed elsewhere too.
  private_sealed bytea,
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  link_kind text,
  link_id uuid,
  status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  claimed_at timestamptz(3),
  sent_at timestamptz(3),
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, notification_id)
);
create index notifications_open on notifications (created_at) where status in ('pending', 'sending');
create index notifications_by_user on notifications (org_id, user_id, created_at, notification_id);
call protect_tenant_table('notifications', 'select, insert, update');

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

-- A change that weakens control waits here for a second person. Secrets and account numbers are sealed.
create table change_requests (
  org_id uuid not null,
  request_id uuid not null,
  kind text not null,
  payload jsonb not null,
  payload_sealed bytea,
  summary text not null,
  -- Who has to decide: an administrator of the organisation, or the operator where the money is pooled.
  approver text not null check (approver in ('administrator', 'operator')),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'canceled')),
  requested_by text not null,
  -- The first of two operators who agree to what creates or releases pooled money.
  reviewed_by text,
  decided_by text,
  comments text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, request_id),
  check (status not in ('approved', 'rejected') or decided_by <> requested_by),
  check (reviewed_by <> requested_by and reviewed_by <> decided_by)
);
create index change_requests_by_age on change_requests (org_id, created_at, request_id);
-- What waits for one member, in one call.
create index change_requests_pending on change_requests (created_at) where status = 'pending';
call protect_tenant_table('change_requests', 'select, insert, update');

-- An organisation without a row has change control.
create table change_controls (
  org_id uuid primary key,
  enabled boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
call protect_tenant_table('change_controls', 'select, insert, update');

create table exceptions (
  org_id uuid not null,
  exception_id uuid not null,
  kind text not null,
  payment_id uuid,
  provider text,
  summary text not null,
  suggested_action text not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  assignee_id text,
  resolution text,
  closed_by text,
  closed_at timestamptz(3),
  -- One open finding per thing found, however often it is found again.
  finding_key text not null,
  -- Money in suspense that waits for a person: how much, and with whom it is. Only saying what became of it closes the
  -- exception. Negative: a provider paid out more than it was owed, and somebody has to make up for it.
  held_minor numeric(38, 0) check (held_minor <> 0),
  held_currency text,
  held_provider text,
  held_account_id uuid,
  held_custody text check (held_custody in ('pooled', 'own')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, exception_id),
  check (num_nulls(held_minor, held_currency, held_provider) in (0, 3))
);
create unique index exceptions_one_open on exceptions (org_id, finding_key) where status = 'open';
create index exceptions_by_age on exceptions (org_id, created_at, exception_id);
create index exceptions_by_payment on exceptions (org_id, payment_id) where payment_id is not null;
-- Open dashboards ask every second what has changed.
create index exceptions_by_change on exceptions (org_id, updated_at);
create index exceptions_assigned on exceptions (assignee_id, created_at) where status = 'open' and assignee_id is not null;
call protect_tenant_table('exceptions', 'select, insert, update');

-- What people found out about an exception. Append-only.
create table exception_notes (
  org_id uuid not null,
  exception_id uuid not null,
  note_id uuid not null,
  user_id text not null,
  note text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, exception_id, note_id)
);
call protect_tenant_table('exception_notes', 'select, insert');
