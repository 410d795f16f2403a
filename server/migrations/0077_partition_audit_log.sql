call partition_by_month('audit_log', 'audit_id', 'select, insert');
