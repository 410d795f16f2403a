-- A hash of the rows, by which an upload that repeats a batch is recognised. Older batches have none.
alter table payout_batches add column fingerprint bytea;
create index payout_batches_by_fingerprint on payout_batches (org_id, fingerprint, created_at)
  where fingerprint is not null;
