-- Blocks of the audit log, one chain for each organisation. Neither role can update or delete them. The ids and the
-- hashes of the entries stand in the order of the leaves, so that a changed or a removed entry can be named.
create table audit_blocks (
  org_id uuid not null,
  block_no bigint not null check (block_no > 0),
  row_count integer not null check (row_count > 0),
  root bytea not null check (length(root) = 32),
  previous_hash bytea not null check (length(previous_hash) = 32),
  block_hash bytea not null check (length(block_hash) = 32),
  sealed_at timestamptz(3) not null,
  first_id uuid not null,
  last_id uuid not null,
  audit_ids uuid[] not null,
  leaf_hashes bytea not null check (length(leaf_hashes) = 32 * row_count),
  primary key (org_id, block_no)
);
create index audit_blocks_by_entry on audit_blocks (org_id, last_id);
call protect_tenant_table('audit_blocks', 'select');

-- Entries that no block has yet. An entry stands here from its own commit on, so one that commits late with an older id
-- is found like any other, and no writer waits for another.
create table audit_unsealed (
  org_id uuid not null,
  audit_id uuid not null,
  queued_at timestamptz(3) not null default clock_timestamp(),
  primary key (org_id, audit_id)
);
call protect_tenant_table('audit_unsealed', 'select, insert');
grant delete on audit_unsealed to switchyard_system;

create function queue_for_sealing() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (org_id, audit_id) values (new.org_id, new.audit_id);
  return null;
end $$;
-- safe: the running release writes entries as before; they are sealed by the first worker of this release.
create trigger queue_for_sealing after insert on audit_log
  for each row execute function queue_for_sealing();
