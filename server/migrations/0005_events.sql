-- Events, the endpoints that receive them, and their deliveries.

create table events (
  org_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  resource_id uuid not null,
  sequence integer not null,
  -- The event's data exactly as it is sent: bytes that are signed must not be made again from values.
  data text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, event_id)
) partition by range (event_id);
create index events_by_resource on events (org_id, resource_id, sequence);
create index events_by_age on events (org_id, created_at, event_id);
call protect_tenant_table('events', 'select, insert');

create table events_first partition of events
  for values from (minvalue) to (first_id_at(date_trunc('month', now(), 'UTC')));
alter table events_first enable row level security, force row level security;

create table webhooks (
  org_id uuid not null,
  webhook_id uuid not null,
  endpoint_url text not null,
  description text,
  -- Null subscribes to everything.
  events text[],
  -- Deleted: hidden from everybody; the row is removed with the last of its deliveries.
  status text not null default 'active' check (status in ('active', 'paused', 'disabled', 'deleted')),
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, webhook_id)
);
create index webhooks_by_age on webhooks (org_id, created_at, webhook_id);
call protect_tenant_table('webhooks', 'select, insert, update, delete');

create table deliveries (
  org_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- Replayed: was dead, and a newer delivery took its place.
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'dead', 'replayed')),
  -- Waits, without a job, until its endpoint is no longer paused.
  is_parked boolean not null default false,
  attempts smallint not null default 0,
  next_attempt_at timestamptz(3),
  last_response_status smallint,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, delivery_id)
) with (fillfactor = 85);
create index deliveries_by_webhook on deliveries (org_id, webhook_id, created_at, delivery_id);
create index deliveries_by_event on deliveries (org_id, event_id);
create index deliveries_pending on deliveries (created_at) where status = 'pending';
create index deliveries_parked on deliveries (org_id, webhook_id) where is_parked;
create index deliveries_dead on deliveries (org_id, created_at, delivery_id) where status = 'dead';
call protect_tenant_table('deliveries', 'select, insert, update, delete');

create table delivery_attempts (
  org_id uuid not null,
  delivery_id uuid not null,
  attempt_no smallint not null,
  request_headers jsonb not null,
  response_status smallint,
  response_body text,
  error text,
  duration_ms integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, delivery_id, attempt_no)
);
call protect_tenant_table('delivery_attempts', 'select, insert, delete');
