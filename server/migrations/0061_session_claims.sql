-- What the identity provider said of how the person signed in, for the claims that a role requires (REQUIRED_CLAIMS).
alter table sessions add column claims jsonb not null default '{}';
