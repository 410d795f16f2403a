-- How far an organisation's payments were gone through for whom the retention period has ended, so that those which are
-- erased already are not read again each day.
create table retention_marks (
  org_id uuid not null,
  kind text not null check (kind in ('payer', 'beneficiary')),
  done_before timestamptz(3) not null,
  erased bigint not null,
  primary key (org_id, kind)
);
call protect_tenant_table('retention_marks', 'select, insert, update');

-- safe: it only allows one more value.
alter table erasures drop constraint erasures_subject_check;
alter table erasures add constraint erasures_subject_check
  check (subject in ('email', 'phone', 'payment', 'beneficiary', 'retention')) not valid;

-- When the organisation has last named the person.
alter table kyb_persons add column named_at timestamptz(3) not null default now();
