-- Each takes its lock for a moment and reads nothing.
call prepare_partitions('events', 'event_id');
call prepare_partitions('audit_log', 'audit_id');
call prepare_partitions('inquiries', 'inquiry_id');
call prepare_partitions('rate_quotes', 'org_rate_id');
