-- Reads the tables under a lock that stops neither readers nor writers.
call validate_partitions('events');
call validate_partitions('audit_log');
call validate_partitions('inquiries');
call validate_partitions('rate_quotes');
