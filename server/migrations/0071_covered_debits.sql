-- Debits of one account queue for its lock until they commit, so what happens under the lock bounds how many of them a
-- second are possible. The sum was planned anew at every call, which took a third of that time. A generic plan is made
-- once for a connection and does not know how few transfers there are since the last fold, so it must not be one that
-- reads the whole table: what remains is a range of the index (org_id, account, currency, xact_id).
alter function available_balance(uuid, text, text)
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set max_parallel_workers_per_gather = 0;
