-- no transaction
-- The jobs of a partition that wait for the same receiver, such as one endpoint of an organisation, are a lane. The walk
-- over the lanes steps over one that has no capacity, however many of its jobs wait. A job of the former release is in the
-- lane of those without a receiver, and a worker of the former release walks by the first two columns of the index.
alter table outbox add column if not exists lane uuid not null default '00000000-0000-0000-0000-000000000000';
drop index concurrently if exists outbox_lanes;
create index concurrently outbox_lanes on outbox (org_id, service collate "C", lane, due_at) where is_ready;
drop index concurrently if exists outbox_ready;
