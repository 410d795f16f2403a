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
