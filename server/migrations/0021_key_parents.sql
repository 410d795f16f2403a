-- The key that a key was made with, whose end is its end too. Null: made by a person who had signed in.
alter table api_keys add column parent_api_key_id uuid;
create index api_keys_by_parent on api_keys (org_id, parent_api_key_id) where parent_api_key_id is not null;
