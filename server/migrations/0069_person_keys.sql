-- The keys of single people that are needed beside a data key, outside of the database. Null: the data key is enough.
alter table data_keys add column person_keys_id uuid;
