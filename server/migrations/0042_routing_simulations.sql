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
