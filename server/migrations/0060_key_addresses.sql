-- The addresses and networks that a key may be used from. Null: from anywhere.
alter table api_keys add column allowed_ips text[];
