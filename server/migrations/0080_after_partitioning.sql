-- A partitioned table has statistics of its own, which autovacuum does not make.
analyze events, audit_log, inquiries, rate_quotes;
