-- What the identity provider said of how the person signed in, for the claims that a role requires (REQUIRED_CLAIMS).
-- Null: nothing was required when the session was opened.
alter table sessions add column claims jsonb;
