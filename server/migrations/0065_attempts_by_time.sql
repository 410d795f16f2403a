-- no transaction
-- Partial, so that only the list by time can use it: while a new table has no statistics, a plan for one attempt chose
-- the index by organisation as readily as the primary key, and then read every attempt of the organisation.
drop index concurrently if exists attempts_by_org_time;
create index concurrently attempts_by_org_time on attempts (org_id, created_at) where attempt_no > 0;
drop index concurrently if exists attempts_by_org_age;
