-- Tables that only grow are partitioned by the months (UTC) of their UUIDv7 ids, so that an old month can be detached,
-- archived and dropped. Nobody but the owner may address a partition: the roles of the processes have no right on one,
-- and its row level security, forced and without a policy, would show them nothing.

-- The smallest UUIDv7 of a moment.
create function first_id_at(moment timestamptz) returns uuid
  language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008' || repeat('0', 15))::uuid;

-- Where the last partition of a table ends.
create function last_partition_end(parent regclass) returns uuid
  language sql stable strict
  return (select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)'))::uuid
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent);

-- Makes the partition of the month that begins with this id, and returns where it ends. Attaching a table that nobody
-- else knows yet neither waits for the writers of its parent nor stops them.
create function add_partition(parent regclass, from_id uuid) returns uuid
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  month timestamp := uuid_extract_timestamp(from_id) at time zone 'UTC';
  to_id uuid := public.first_id_at((month + interval '1 month') at time zone 'UTC');
  table_name name := (select relname from pg_class where oid = parent);
  partition_name text := format('%s_%s', table_name, to_char(month, 'YYYY_MM'));
begin
  execute format('create table public.%I (like public.%I including all)', partition_name, table_name);
  execute format('alter table public.%I enable row level security, force row level security', partition_name);
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    table_name, partition_name, from_id, to_id);
  return to_id;
end $$;
-- safe: the function is new.
revoke execute on function add_partition(regclass, uuid) from public;

-- Makes the partitions of the coming months, for the worker, which owns no table: it takes no parameter, and does
-- nothing else with the rights of the owner.
create function make_partitions_ahead() returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '100ms' as $$
declare
  wanted_end uuid := public.first_id_at(
    (date_trunc('month', now() at time zone 'UTC') + interval '4 months') at time zone 'UTC');
  parent regclass;
  reached uuid;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('partitions', 0)) then
    return 0;
  end if;
  for parent in
    select c.oid::regclass from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = 'public'::regnamespace order by c.relname
  loop
    reached := public.last_partition_end(parent);
    while reached < wanted_end loop
      reached := public.add_partition(parent, reached);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
-- safe: the function is new, and the worker is granted it below.
revoke execute on function make_partitions_ahead() from public;
grant execute on function make_partitions_ahead() to switchyard_system;

-- Months that were taken out of a table, from before they are detached. The rows of one that is dropped are in its file.
create table archives (
  table_name text not null,
  partition_name text not null,
  from_id uuid not null,
  to_id uuid not null check (to_id > from_id),
  begun_at timestamptz(3) not null default now(),
  file text,
  row_count bigint,
  sha256 bytea check (length(sha256) = 32),
  dropped_at timestamptz(3),
  primary key (table_name, to_id),
  check ((dropped_at is null) or (file is not null and row_count is not null and sha256 is not null))
);
grant select on archives to switchyard_app, switchyard_system;

-- First step of three: the table that there is becomes the first partition, without being read under a lock. In a
-- database that nobody has used it ends with this month, else with the next one, so that the running release never
-- reaches its end before the last step. It waits for less than a deadlock takes to be found, so that of a payment that
-- writes to several of these tables and a migration, the migration gives way.
create procedure prepare_partitions(table_name text, id_column text) language plpgsql as $$
declare
  months interval := case when pg_relation_size('organizations') = 0 then interval '0' else interval '2 months' end;
begin
  perform set_config('lock_timeout', '500ms', true);
  execute format('alter table public.%I add constraint %I check (%I < %L) not valid', table_name,
    table_name || '_first_ids', id_column,
    first_id_at((date_trunc('month', now() at time zone 'UTC') + months) at time zone 'UTC'));
end $$;

-- Second step. A table with ids that are no UUIDv7, as seeds of earlier releases wrote them, stays as it is.
create procedure validate_partitions(table_name text) language plpgsql as $$
declare
  item record;
begin
  for item in select conname from pg_constraint
    where conrelid = to_regclass('public.' || table_name) and contype = 'c' and not convalidated
  loop
    execute format('alter table public.%I validate constraint %I', table_name, item.conname);
  end loop;
exception when check_violation then
  raise warning '% is not partitioned, because it has ids that are no UUIDv7', table_name;
  execute format('alter table public.%I drop constraint %I', table_name, table_name || '_first_ids');
end $$;

-- Third step, without reading a row: a partitioned table takes the name, and with it indexes, triggers, policies and
-- rights; the old table is attached with its indexes.
create procedure partition_by_month(table_name text, id_column text, app_privileges text) language plpgsql as $$
declare
  first_name text := table_name || '_first';
  bound text;
  definitions text[];
  item record;
begin
  select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''') into bound from pg_constraint
    where conrelid = to_regclass('public.' || table_name) and conname = table_name || '_first_ids' and convalidated;
  if bound is null then
    return;
  end if;
  execute format('alter table public.%I rename to %I', table_name, first_name);
  select array_agg(case
      when c.oid is null then replace(pg_get_indexdef(i.indexrelid),
        format(' ON public.%I ', first_name), format(' ON public.%I ', table_name))
      else format('alter table public.%I add constraint %I %s', table_name, c.conname, pg_get_constraintdef(c.oid)) end)
    into definitions
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
    where i.indrelid = to_regclass('public.' || first_name);
  for item in select relname from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass('public.' || first_name)
  loop
    execute format('alter index public.%I rename to %I', item.relname, replace(item.relname, table_name, first_name));
  end loop;
  execute format('create table public.%I (like public.%I including all excluding indexes) partition by range (%I)',
    table_name, first_name, id_column);
  execute format('alter table public.%I drop constraint %I', table_name, table_name || '_first_ids');
  for item in select unnest(definitions) as definition loop
    execute item.definition;
  end loop;
  for item in select tgname, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = to_regclass('public.' || first_name) and not tgisinternal
  loop
    execute format('drop trigger %I on public.%I', item.tgname, first_name);
    execute replace(item.definition, format(' ON public.%I ', first_name), format(' ON public.%I ', table_name));
  end loop;
  call protect_tenant_table(to_regclass('public.' || table_name), app_privileges);
  execute format('drop policy one_organisation on public.%I', first_name);
  execute format('drop policy every_organisation on public.%I', first_name);
  execute format('revoke all on public.%I from switchyard_app, switchyard_system', first_name);
  execute format('alter table public.%I attach partition public.%I for values from (minvalue) to (%L)',
    table_name, first_name, bound);
  execute format('alter table public.%I drop constraint %I', first_name, table_name || '_first_ids');
  perform make_partitions_ahead();
end $$;
