-- When the provider first answered and when the attempt ended. Each is written once, so that folding a span of time
-- again gives the same counts. Null for attempts of former releases.
alter table attempts
  add column answered_at timestamptz(3),
  add column ended_at timestamptz(3);

-- What happened at an account in a corridor within five seconds, over all organisations. Kept for minutes only.
create table routing_buckets (
  bucket_start timestamptz(3) not null,
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  -- Empty for other methods and for unknown brands.
  card_brand text not null,
  provider text not null,
  answered integer not null,
  faults integer not null,
  succeeded integer not null,
  customer_declines integer not null,
  provider_declines integer not null,
  failed integer not null,
  not_sent integer not null,
  unknown integer not null,
  cost_share double precision not null,
  costed integer not null,
  latencies integer[] not null,
  primary key (bucket_start, account_id, direction, method, country, card_brand)
) with (fillfactor = 70);
grant select, insert, update, delete on routing_buckets to switchyard_system;

-- The same counts by organisation, per minute and per hour.
create table routing_history (
  org_id uuid not null,
  grain text not null check (grain in ('minute', 'hour')),
  bucket_start timestamptz(3) not null,
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  card_brand text not null,
  provider text not null,
  answered integer not null,
  faults integer not null,
  succeeded integer not null,
  customer_declines integer not null,
  provider_declines integer not null,
  failed integer not null,
  not_sent integer not null,
  unknown integer not null,
  cost_share double precision not null,
  costed integer not null,
  latencies integer[] not null,
  primary key (org_id, grain, bucket_start, account_id, direction, method, country, card_brand)
) with (fillfactor = 80);
create index routing_history_by_age on routing_history (grain, bucket_start);
call protect_tenant_table('routing_history', 'select');
grant update, delete on routing_history to switchyard_system;

-- The weights of an account in a corridor. `settled` sums up the buckets before the settled_until of the progress,
-- which no late commit changes any more; `current` adds the later ones. Both decay from their time on.
create table routing_weights (
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  card_brand text not null,
  settled jsonb not null,
  settled_at timestamptz(3) not null,
  current jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, direction, method, country, card_brand)
) with (fillfactor = 70);
create index routing_weights_by_change on routing_weights (updated_at);
grant select, insert, update, delete on routing_weights to switchyard_system;

-- The health of an account in a corridor; one that has always been healthy has no row.
create table route_health (
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  -- The resource that the events name.
  corridor_id uuid not null default gen_random_uuid(),
  provider text not null,
  health text not null check (health in ('healthy', 'degraded', 'down')),
  since timestamptz(3) not null,
  -- A route that is down gets no payment to try it with before this time.
  rest_until timestamptz(3),
  changes integer not null,
  primary key (account_id, direction, method, country)
);
grant select, insert, update, delete on route_health to switchyard_system;

-- The payments that an organisation spent on learning about an account, in spans of five seconds.
create table routing_explorations (
  org_id uuid not null,
  bucket_start timestamptz(3) not null,
  explorations integer not null,
  primary key (org_id, bucket_start)
);
create index routing_explorations_by_age on routing_explorations (bucket_start);
call protect_tenant_table('routing_explorations', 'select');
grant update, delete on routing_explorations to switchyard_system;

create table routing_fold_progress (
  only_row boolean primary key default true check (only_row),
  folded_until timestamptz(3) not null,
  settled_until timestamptz(3) not null,
  -- The last pass that also read the spans that late commits can still change.
  thorough_at timestamptz(3) not null
);
insert into routing_fold_progress (folded_until, settled_until, thorough_at) values (now(), now(), now());
grant select, update on routing_fold_progress to switchyard_system;

-- Times in which an account is not to be used if another one can be. The installation's rows are for its own accounts.
create table maintenance_windows (
  org_id uuid not null,
  window_id uuid not null,
  account_id uuid not null,
  provider text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, window_id)
);
create index maintenance_windows_by_end on maintenance_windows (ends_at);
call protect_tenant_table('maintenance_windows', 'select, insert, delete');
call share_installation_rows('maintenance_windows');
