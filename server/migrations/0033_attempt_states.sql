-- The states after the first one, each with its time. Null for an attempt that is as it was created, and for those
-- that ended before this column existed.
alter table attempts add column state_changes jsonb;
