-- A payment whose sealed details cannot be opened is set aside, so that the others do not wait for it.
alter table payment_search_queue
  add column set_aside_at timestamptz(3),
  add column set_aside_reason text,
  add constraint payment_search_queue_reason check ((set_aside_at is null) = (set_aside_reason is null));

drop index payment_search_queue_by_age;
create index payment_search_queue_by_age on payment_search_queue (queued_at) where set_aside_at is null;
create index payment_search_queue_set_aside on payment_search_queue (set_aside_at) where set_aside_at is not null;
