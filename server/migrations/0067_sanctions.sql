-- The lists of designated persons, loaded by the operator from files. They are public and belong to no organisation.
create table sanctions_versions (
  version_id uuid primary key,
  source text not null check (source in ('ofac', 'un', 'eu', 'uk')),
  file_name text not null,
  file_sha256 text not null,
  entry_count integer not null check (entry_count > 0),
  loaded_by text not null,
  loaded_at timestamptz(3) not null,
  -- Null while its entries are being written. The newest published version of each source is in force.
  published_at timestamptz(3)
);
create index sanctions_versions_published on sanctions_versions (source, published_at desc) where published_at is not null;

create table sanctions_entries (
  version_id uuid not null references sanctions_versions on delete cascade,
  entry_id text not null,
  kind text not null check (kind in ('person', 'organisation', 'vessel')),
  names text[] not null,
  birth_dates text[] not null,
  countries text[] not null,
  programmes text[] not null,
  fingerprint text not null,
  primary key (version_id, entry_id)
);

-- Each published version screens everybody again. The row says how far that is, so that any worker can go on.
create table sanctions_runs (
  run_id uuid primary key,
  version_id uuid not null references sanctions_versions,
  phase text not null check (phase in ('beneficiaries', 'kyb', 'payers', 'done', 'superseded')),
  -- The last subject that was screened in this phase.
  after_org_id uuid,
  after_id uuid,
  screened bigint not null default 0,
  matched bigint not null default 0,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create index sanctions_runs_open on sanctions_runs (started_at) where finished_at is null;
grant select, insert, update, delete on sanctions_versions, sanctions_entries, sanctions_runs to switchyard_system;
-- The lists are public, and who changes a beneficiary is screened in the transaction of the change.
grant select on sanctions_entries to switchyard_app;

-- People of an organisation as its verification named them, kept only to be screened.
create table kyb_persons (
  org_id uuid not null,
  person_id uuid not null,
  details_sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, person_id)
);
call protect_tenant_table('kyb_persons', 'select, insert, update, delete');

-- Possible matches of people with an entry. Nothing is sent to or for the subject unless its matches are cleared.
create table sanctions_matches (
  org_id uuid not null,
  match_id uuid not null,
  subject_kind text not null check (subject_kind in ('beneficiary', 'payer', 'kyb')),
  -- The beneficiary, the payment of the payer, or the person of the verification.
  subject_id uuid not null,
  -- A keyed hash of what is known about the person: a decision holds wherever the same person occurs.
  person_key bytea not null,
  person_sealed bytea not null,
  source text not null check (source in ('ofac', 'un', 'eu', 'uk')),
  entry_id text not null,
  -- The entry as it was when it matched.
  entry jsonb not null,
  entry_fingerprint text not null,
  version_id uuid not null,
  score_permille integer not null check (score_permille between 0 and 1000),
  status text not null check (status in ('open', 'cleared', 'confirmed')),
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, match_id),
  unique (org_id, subject_kind, subject_id, source, entry_id)
);
create index sanctions_matches_in_the_way on sanctions_matches (org_id, subject_id) where status <> 'cleared';
create index sanctions_matches_of_person on sanctions_matches (org_id, person_key);
create index sanctions_matches_by_age on sanctions_matches (created_at, match_id);
call protect_tenant_table('sanctions_matches', 'select, insert, update');
