-- no transaction
-- A list of what changed since then, with a filter, reads the late changes of the facets that match, not those of all.
drop index concurrently if exists payments_by_late_facet;
create index concurrently payments_by_late_facet on payments (org_id, facet, late_update_at, created_at, payment_id)
  where late_update_at is not null;
