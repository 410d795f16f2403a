-- When the data of the payment's people was erased.
alter table payments add column erased_at timestamptz(3);

-- Requests to erase a person. They name the records and never the person.
create table erasures (
  org_id uuid not null,
  erasure_id uuid not null,
  subject text not null check (subject in ('email', 'phone', 'payment', 'beneficiary')),
  payment_ids uuid[] not null,
  beneficiary_ids uuid[] not null,
  reason text not null check (length(reason) between 1 and 500),
  status text not null default 'pending' check (status in ('pending', 'done', 'refused')),
  requested_by text not null,
  approved_by text,
  -- Why it was refused after all: a payment of the person was disputed meanwhile, for example.
  refusal text,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (org_id, erasure_id),
  check ((status = 'pending') = (ended_at is null))
);
create index erasures_by_age on erasures (org_id, created_at, erasure_id);
create index erasures_pending on erasures (erasure_id) where status = 'pending';
call protect_tenant_table('erasures', 'select, insert, update');

-- Records that must be kept, whoever asks: for a court, an authority or a claim.
create table legal_holds (
  org_id uuid not null,
  hold_id uuid not null,
  subject text not null check (subject in ('payment', 'beneficiary')),
  subject_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  placed_by text not null,
  placed_at timestamptz(3) not null,
  lifted_by text,
  lifted_at timestamptz(3),
  primary key (org_id, hold_id),
  check ((lifted_at is null) = (lifted_by is null))
);
create index legal_holds_in_force on legal_holds (org_id, subject_id) where lifted_at is null;
create index legal_holds_by_age on legal_holds (org_id, placed_at, hold_id);
call protect_tenant_table('legal_holds', 'select, insert, update');
