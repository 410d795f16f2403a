-- The key that wraps a data key. Null: wrapped before versions were recorded.
alter table data_keys add column wrapped_by text;
grant update (wrapped_key, wrapped_by) on data_keys to switchyard_system;

-- The pepper that an API key is hashed with. Null: hashed before versions were recorded.
alter table api_keys add column pepper_id text;

-- Keys of the installation itself, wrapped like data keys.
create table installation_keys (
  name text primary key,
  wrapped_key bytea not null,
  wrapped_by text not null,
  created_at timestamptz(3) not null default now()
);
grant select, insert, update on installation_keys to switchyard_system;

-- When a process first had each version of a secret as its current one. A version is used some time later, so that
-- every process accepts it before one of them uses it.
create table key_versions (
  secret text not null check (secret in ('SECRET_KEY', 'API_KEY_PEPPER')),
  key_id text not null,
  first_seen_at timestamptz(3) not null default now(),
  primary key (secret, key_id)
);
grant select, insert on key_versions to switchyard_system;

-- Written when a worker wraps data keys again, which it does only after a rotation.
alter table audit_log drop constraint audit_log_credential_check,
  add constraint audit_log_credential_check
    check (credential in ('api_key', 'jwt', 'payment_link', 'session', 'system')) not valid;
