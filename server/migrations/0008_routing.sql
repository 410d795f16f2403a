-- Routing policies, the signals that they use, and simulations.

-- The versions of the routing policies. A version's document never changes, so a version that a second person has
-- approved, or that a payment names, always means the same. The installation's policy applies to the organisations
-- that have published none.
create table routing_policy_versions (
  org_id uuid not null,
  version integer not null check (version > 0),
  state text not null check (state in ('draft', 'published', 'superseded', 'discarded')),
  document jsonb not null,
  note text,
  restores integer,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  published_by text,
  published_at timestamptz(3),
  primary key (org_id, version),
  check (num_nonnulls(published_by, published_at) in (0, 2)),
  check ((published_at is not null) = (state in ('published', 'superseded')))
);
create unique index routing_policy_versions_published on routing_policy_versions (org_id) where state = 'published';
create unique index routing_policy_versions_draft on routing_policy_versions (org_id) where state = 'draft';
call protect_tenant_table('routing_policy_versions', 'select, insert, update (state, published_by, published_at)');
call share_installation_rows('routing_policy_versions');
revoke update, delete on routing_policy_versions from switchyard_system;
grant update (state, published_by, published_at) on routing_policy_versions to switchyard_system;

-- What happened at an account in a corridor within five seconds, by organisation, so that none of them decides alone
-- what the others read. Kept for minutes only.
create table org_routing_buckets (
  org_id uuid not null,
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
  primary key (org_id, bucket_start, account_id, direction, method, country, card_brand)
) with (fillfactor = 70);
create index org_routing_buckets_by_age on org_routing_buckets (bucket_start);
call protect_tenant_table('org_routing_buckets', 'select');
grant update, delete on org_routing_buckets to switchyard_system;

-- The same counts per minute and per hour.
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

-- The weights of one organisation's attempts; routing_weights has those of all, each within its bound. `settled` sums up
-- the buckets before the settled_until of the progress; `current` adds the later ones. Both decay from their time on.
create table org_routing_weights (
  org_id uuid not null,
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  card_brand text not null,
  settled jsonb not null,
  settled_at timestamptz(3) not null,
  current jsonb not null,
  updated_at timestamptz(3) not null,
  -- The organisation has enough attempts to be judged by its own.
  is_enough boolean not null,
  primary key (org_id, account_id, direction, method, country, card_brand)
) with (fillfactor = 70);
create index org_routing_weights_by_account on org_routing_weights (account_id);
create index org_routing_weights_by_change on org_routing_weights (updated_at) where is_enough;
call protect_tenant_table('org_routing_weights', 'select');
grant update, delete on org_routing_weights to switchyard_system;

create table routing_weights (
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  card_brand text not null,
  current jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, direction, method, country, card_brand)
) with (fillfactor = 70);
create index routing_weights_by_change on routing_weights (updated_at);
grant select, insert, update, delete on routing_weights to switchyard_system;

-- How a corridor looks to each organisation that has had trouble there; the nil organisation's row is what everybody
-- sees. route_health has the worst of them, for the operator.
create table route_health_views (
  org_id uuid not null,
  account_id uuid not null,
  direction text not null,
  method text not null,
  country char(2) not null,
  health text not null check (health in ('healthy', 'degraded', 'down')),
  since timestamptz(3) not null,
  -- A route that is down gets no payment to try it with before this time.
  rest_until timestamptz(3),
  primary key (org_id, account_id, direction, method, country)
);
call protect_tenant_table('route_health_views', 'select');
grant update, delete on route_health_views to switchyard_system;

-- An account that has always been healthy in a corridor has no row.
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

-- What a routing policy would have done with payments of the past. A simulation is computed by the engine.
create table routing_simulations (
  org_id uuid not null,
  simulation_id uuid not null,
  policy jsonb not null,
  from_time timestamptz(3) not null,
  to_time timestamptz(3) not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  payments_read integer not null default 0,
  -- Null until they are counted.
  payments_total integer,
  result jsonb,
  failure text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (org_id, simulation_id)
);
create index routing_simulations_open on routing_simulations (created_at) where status in ('queued', 'running');
call protect_tenant_table('routing_simulations', 'select, insert, update, delete');
