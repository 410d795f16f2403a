call partition_by_month('inquiries', 'inquiry_id', 'select, insert');
