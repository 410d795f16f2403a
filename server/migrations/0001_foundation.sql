-- The two roles that the processes log in as are made by `npm run migrate` before this file runs:
-- switchyard_app (row level security binds it) and switchyard_system (sees every organisation).

do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

create function current_org() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- Every table with org_id goes through here. Privileges are named by each table, so that an append-only
-- one can leave out update and delete, for both roles.
create procedure protect_tenant_table(tenant_table regclass, app_privileges text)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy one_organisation on %s to switchyard_app using (org_id = current_org()) with check (org_id = current_org())',
    tenant_table);
  execute format('create policy every_organisation on %s to switchyard_system using (true) with check (true)', tenant_table);
  execute format('grant %s on %s to switchyard_app', app_privileges, tenant_table);
  execute format('grant %s on %s to switchyard_system',
    case when app_privileges ~ 'update|delete' then 'select, insert, update, delete' else 'select, insert' end,
    tenant_table);
end $$;

create table organizations (
  org_id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  country char(2) not null,
  features text[] not null default '{}',
  kyb_status text not null default 'not_started'
    check (kyb_status in ('not_started', 'pending', 'in_review', 'approved', 'rejected')),
  kyb_customer_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index organizations_by_age on organizations (created_at, org_id);
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
call protect_tenant_table('members', 'select, insert, update, delete');

create table api_keys (
  org_id uuid not null,
  api_key_id uuid not null,
  user_id text not null,
  name text not null check (length(name) between 1 and 200),
  prefix text not null,
  key_hash bytea not null,
  scopes text[],
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  is_replaced boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, api_key_id),
  foreign key (org_id, user_id) references members on delete cascade
);
-- Not unique: the hash of 32 random bytes needs no constraint, and a constraint without org_id would not shard.
create index api_keys_by_hash on api_keys (key_hash);
create index api_keys_by_age on api_keys (org_id, created_at, api_key_id);
create index api_keys_by_owner on api_keys (org_id, user_id);
call protect_tenant_table('api_keys', 'select, insert, update');

create table idempotency_keys (
  org_id uuid not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  request_hash bytea not null,
  response_status integer,
  response_sealed bytea,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, idempotency_key)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
call protect_tenant_table('idempotency_keys', 'select, insert, update, delete');

create table audit_log (
  org_id uuid not null,
  audit_id uuid not null,
  user_id text not null,
  credential text not null check (credential in ('api_key', 'jwt')),
  api_key_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  before jsonb,
  after jsonb,
  ip text not null,
  user_agent text,
  request_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, audit_id)
);
create index audit_log_by_age on audit_log (org_id, created_at, audit_id);
call protect_tenant_table('audit_log', 'select, insert');

create table outbox (
  org_id uuid not null,
  outbox_id uuid not null,
  service text not null,
  handler text not null,
  object_key text,
  payload jsonb not null,
  request_id text,
  due_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, outbox_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index outbox_by_due_time on outbox (due_at);
call protect_tenant_table('outbox', 'select, insert, update, delete');

create table notifications (
  org_id uuid not null,
  notification_id uuid not null,
  user_id text not null,
  template text not null,
  recipient text not null,
  variables jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  claimed_at timestamptz(3),
  sent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, notification_id)
);
create index notifications_open on notifications (created_at) where status in ('pending', 'sending');
call protect_tenant_table('notifications', 'select, insert, update');
