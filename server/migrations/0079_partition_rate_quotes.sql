call partition_by_month('rate_quotes', 'org_rate_id', 'select, insert');
