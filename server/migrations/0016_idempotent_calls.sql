-- An Idempotency-Key belongs to a member. A call that begins a payment claims its key in the transaction that writes
-- the payment (resource_id), so that a repeat finds the payment even if the process died before it could answer.
-- idempotency_keys remains for processes of the previous release, and is read until its keys have expired.
create table idempotent_calls (
  org_id uuid not null,
  user_id text not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  request_hash bytea not null,
  resource_id uuid,
  response_status integer,
  response_sealed bytea,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, user_id, idempotency_key)
);
create index idempotent_calls_by_expiry on idempotent_calls (expires_at);
call protect_tenant_table('idempotent_calls', 'select, insert, update, delete');
