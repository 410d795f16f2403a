-- no transaction
-- A claim steps over a lane that has no capacity, however many of its jobs wait. Workers of the former release walk by the
-- first two columns.
drop index concurrently if exists outbox_lanes;
create index concurrently outbox_lanes on outbox (org_id, service collate "C", lane, due_at) where is_ready;
drop index concurrently if exists outbox_ready;
