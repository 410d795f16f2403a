-- As routing_buckets, by organisation, so that none of them decides alone what the others read. The release before
-- reads routing_buckets; the next one drops it.
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
