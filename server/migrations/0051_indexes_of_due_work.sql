-- no transaction
drop index concurrently if exists outbox_ready;
create index concurrently outbox_ready on outbox (org_id, service collate "C", due_at) where is_ready;
drop index concurrently if exists outbox_waiting;
create index concurrently outbox_waiting on outbox (due_at) where not is_ready;
-- Workers of the former release find due rows by outbox_by_due_time.
drop index concurrently if exists outbox_by_lane;
drop index concurrently if exists payment_links_by_expiry;
create index concurrently payment_links_by_expiry on payment_links (expires_at) where status = 'active';
drop index concurrently if exists payment_links_active;
drop index concurrently if exists wallet_transfers_open;
create index concurrently wallet_transfers_open on wallet_transfers (chain_id, from_address, token)
  include (amount_minor) where state = 'open';
