-- The sessions of people who signed in to the dashboard. The browser's cookie holds the token; only its keyed hash is stored.
create table sessions (
  org_id uuid not null,
  session_id uuid not null,
  user_id text not null,
  token_hash bytea not null check (length(token_hash) = 32),
  -- When the person last proved to the identity provider who they are; null if the provider does not say.
  auth_time timestamptz(3),
  ip text not null,
  user_agent text,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (org_id, session_id),
  -- A member who is removed is signed out at once.
  foreign key (org_id, user_id) references members on delete cascade
);
-- Not unique: the hash of 32 random bytes needs no constraint, and a constraint without org_id would not shard.
create index sessions_by_hash on sessions (token_hash);
create index sessions_by_user on sessions (user_id, org_id);
call protect_tenant_table('sessions', 'select, insert, update, delete');

-- A person chooses among the organisations that they are a member of.
create index members_by_user on members (user_id);

-- Open dashboards ask every second what has changed.
create index exceptions_by_change on exceptions (org_id, updated_at);

alter table audit_log drop constraint audit_log_credential_check,
  add constraint audit_log_credential_check check (credential in ('api_key', 'jwt', 'payment_link', 'session'));
