-- A hold can be on the organisation itself, and so on everything that it has.
alter table legal_holds
  drop constraint legal_holds_subject_check,
  add constraint legal_holds_subject_check check (subject in ('payment', 'beneficiary', 'organization')) not valid;
