-- Privacy, sessions of the dashboard, the request log, and what the operator sees of the installation.

-- Requests to erase a person. They name the records and never the person.
create table erasures (
  org_id uuid not null,
  erasure_id uuid not null,
  subject text not null check (subject in ('email', 'phone', 'payment', 'beneficiary', 'retention')),
  payment_ids uuid[] not null,
  beneficiary_ids uuid[] not null,
  reason text not null check (length(reason) between 1 and 500),
  status text not null default 'pending' check (status in ('pending', 'done', 'refused')),
  requested_by text not null,
  approved_by text,
  -- Why it was refused after all: a payment of the person was disputed meanwhile, for example.
  refusal text,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (org_id, erasure_id),
  check ((status = 'pending') = (ended_at is null))
);
create index erasures_by_age on erasures (org_id, created_at, erasure_id);
create index erasures_pending on erasures (erasure_id) where status = 'pending';
call protect_tenant_table('erasures', 'select, insert, update');

-- Records that must be kept, whoever asks: for a court, an authority or a claim. A hold on the organisation is one on
-- everything that it has.
create table legal_holds (
  org_id uuid not null,
  hold_id uuid not null,
  subject text not null check (subject in ('payment', 'beneficiary', 'organization')),
  subject_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  placed_by text not null,
  placed_at timestamptz(3) not null,
  lifted_by text,
  lifted_at timestamptz(3),
  primary key (org_id, hold_id),
  check ((lifted_at is null) = (lifted_by is null))
);
create index legal_holds_in_force on legal_holds (org_id, subject_id) where lifted_at is null;
create index legal_holds_by_age on legal_holds (org_id, placed_at, hold_id);
call protect_tenant_table('legal_holds', 'select, insert, update');

-- Up to when an organisation's payments were searched for people whose retention period has ended, so that those who
-- are erased already are not read again each day.
create table retention_marks (
  org_id uuid not null,
  kind text not null check (kind in ('payer', 'beneficiary')),
  done_before timestamptz(3) not null,
  erased bigint not null,
  primary key (org_id, kind)
);
call protect_tenant_table('retention_marks', 'select, insert, update');

-- The sessions of people who signed in to the dashboard. The browser's cookie holds the token; only its keyed hash is
-- stored.
create table sessions (
  org_id uuid not null,
  session_id uuid not null,
  user_id text not null,
  token_hash bytea not null check (length(token_hash) = 32),
  -- When the person last proved to the identity provider who they are; null if the provider does not say.
  auth_time timestamptz(3),
  -- What the identity provider said of how the person signed in, for the claims that a role requires (REQUIRED_CLAIMS).
  -- Null: nothing was required when the session was opened.
  claims jsonb,
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

-- What members asked the API, for seven days: never a body, a query or the values in a path. Written in batches behind
-- the requests. The key is also the order of the list, so a batch touches one index per organisation.
create table request_log (
  org_id uuid not null,
  entry_id uuid not null,
  method text not null,
  -- The pattern of the path, such as /v1/payments/:payment_id.
  route text not null,
  status smallint not null,
  -- The code of the error, where there was one.
  code text,
  duration_us integer not null,
  request_id text not null,
  user_id text not null,
  credential text not null,
  api_key_id uuid,
  created_at timestamptz(3) not null,
  primary key (org_id, created_at, entry_id)
);
create index request_log_by_request on request_log (org_id, request_id);
create index request_log_by_age on request_log using brin (created_at) with (autosummarize = on);
call protect_tenant_table('request_log', 'select, delete');
-- Only the api writes it, for all organisations at once, and only the engine removes what is old.
revoke delete on request_log from switchyard_app;

-- The operator sees which migrations have run.
grant select on migrations to switchyard_system;
