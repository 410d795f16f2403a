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
