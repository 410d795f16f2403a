-- What a comparison has read from a provider's list and matched with an attempt, for as long as it runs. Not logged: a
-- comparison that loses rows to a crash of Postgres notices and is made again.
create unlogged table listed_transactions (
  org_id uuid not null,
  comparison_id uuid not null,
  part_no integer not null,
  -- Our reference of the attempt, and its organisation. The provider's account belongs to org_id.
  reference uuid not null,
  attempt_org_id uuid not null,
  provider_ref text not null,
  -- Of this transaction alone: an attempt may have several.
  verdict text not null check (verdict in ('agrees', 'differs', 'skipped')),
  part jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, comparison_id, part_no)
);
-- safe: the table is made by this file and has no rows
create index listed_transactions_by_reference on listed_transactions (org_id, comparison_id, reference, part_no);
call protect_tenant_table('listed_transactions', 'select, insert, delete');
