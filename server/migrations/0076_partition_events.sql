-- One table to a file: payments write to several of these tables, in their own order.
call partition_by_month('events', 'event_id', 'select, insert');
